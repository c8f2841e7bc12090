/** The signing features of the sandbox wallet: check, ask the user, sign. */
import type {
  SolanaSignAndSendTransactionFeature,
  SolanaSignAndSendTransactionInput,
  SolanaSignInFeature,
  SolanaSignInInput,
  SolanaSignInOutput,
  SolanaSignMessageFeature,
  SolanaSignTransactionFeature,
  SolanaSignTransactionInput,
} from '@solana/wallet-standard-features'
import { createSignInMessageText } from '@solana/wallet-standard-util'
import type { WalletAccount } from '@wallet-standard/base'
import { invalidParameters, messagesUnsupported } from './errors.js'
import type { Keyring } from './keyring.js'
import type { ApprovalRequest } from './requests.js'
import { sendTransaction } from './rpc.js'
import { readTransaction, signTransaction, transactionSignature } from './transaction.js'

export type SigningFeatures = SolanaSignMessageFeature &
  SolanaSignTransactionFeature &
  SolanaSignAndSendTransactionFeature &
  SolanaSignInFeature

export interface SigningParts {
  readonly keyring: Keyring
  /** Chain → RPC address, for sending. */
  readonly rpcUrls: Readonly<Record<string, string>>
  /** Unlocks first if need be, then asks. Asks before it returns. */
  authorise(request: ApprovalRequest): Promise<void>
  /** The account as the site has it now. @throws Error when the site may not use it */
  requireAccount(account: WalletAccount): WalletAccount
  /** The site may use the active account from now on. */
  connected(): WalletAccount
}

const VERSIONS = ['legacy', 0] as const

function signIn(input: SolanaSignInInput, address: string): string {
  if (input.address !== undefined && input.address !== address)
    throw invalidParameters('The address asked for is not the active account')
  return createSignInMessageText({ ...input, domain: input.domain ?? location.host, address })
}

export function createSigningFeatures(parts: SigningParts): SigningFeatures {
  const { keyring, rpcUrls, authorise, requireAccount } = parts
  const { origin } = location

  const approveTransactions = async (inputs: readonly SolanaSignTransactionInput[], send: boolean) => {
    const signer = oneAccount(inputs.map(({ account }) => requireAccount(account).address))
    const [chain = ''] = new Set(inputs.map(input => input.chain ?? ''))
    if (inputs.some(input => input.chain !== undefined && !input.account.chains.includes(input.chain)))
      throw invalidParameters('The account is not on this chain')
    const transactions = inputs.map(({ transaction }) => readTransaction(transaction))
    if (transactions.some(({ signers }) => !signers.includes(signer)))
      throw invalidParameters('This account is not a signer of the transaction')
    await authorise({ kind: 'transaction', origin, address: signer, chain, transactions, send })
    return inputs.map(({ transaction }) =>
      signTransaction(transaction, signer, message => keyring.sign(signer, message)),
    )
  }

  const send = async ({ chain, options }: SolanaSignAndSendTransactionInput, signed: Uint8Array) => {
    const url = rpcUrls[chain]
    if (url === undefined) throw invalidParameters(`This wallet knows no node of ${chain}`)
    await sendTransaction(url, signed, options)
    return { signature: transactionSignature(signed) }
  }

  /** A device shows what it will not sign, too: the refusal comes after the approval, as from real ones. */
  const authoriseMessage = async (request: ApprovalRequest & { readonly hardware: boolean }) => {
    await authorise(request)
    if (request.hardware) throw messagesUnsupported()
  }

  return {
    'solana:signMessage': {
      version: '1.1.0',
      signMessage: async (...inputs) => {
        if (!inputs.length) return []
        const address = oneAccount(inputs.map(({ account }) => requireAccount(account).address))
        // Copies: what was shown is what is signed, whatever the page does to its arrays meanwhile.
        const messages = inputs.map(({ message }) => message.slice())
        await authoriseMessage({ kind: 'message', origin, address, messages, hardware: keyring.hardware !== false })
        return messages.map(message => ({
          signedMessage: message,
          signature: keyring.sign(address, message),
          signatureType: 'ed25519',
        }))
      },
    },
    'solana:signTransaction': {
      version: '1.0.0',
      supportedTransactionVersions: VERSIONS,
      signTransaction: async (...inputs) => {
        if (!inputs.length) return []
        const copies = inputs.map(input => ({ ...input, transaction: input.transaction.slice() }))
        const signed = await approveTransactions(copies, false)
        return signed.map(signedTransaction => ({ signedTransaction }))
      },
    },
    'solana:signAndSendTransaction': {
      version: '1.0.0',
      supportedTransactionVersions: VERSIONS,
      signAndSendTransaction: async (...inputs) => {
        if (!inputs.length) return []
        const copies = inputs.map(input => ({ ...input, transaction: input.transaction.slice() }))
        const signed = await approveTransactions(copies, true)
        const sent = []
        // In order: a later one may build on an earlier one.
        for (const [index, input] of copies.entries()) sent.push(await send(input, signed[index] ?? new Uint8Array()))
        return sent
      },
    },
    'solana:signIn': {
      version: '1.0.0',
      signIn: async (...inputs) => {
        const asked = inputs.length ? inputs : [{}]
        const { address } = keyring.active
        const texts = asked.map(input => signIn(input, address))
        const foreignDomain = asked.some(({ domain }) => domain !== undefined && domain !== location.host)
        const hardware = keyring.hardware !== false
        await authoriseMessage({ kind: 'sign-in', origin, address, texts, foreignDomain, hardware })
        const account = parts.connected()
        return texts.map((text): SolanaSignInOutput => {
          const signedMessage = new TextEncoder().encode(text)
          return { account, signedMessage, signature: keyring.sign(address, signedMessage), signatureType: 'ed25519' }
        })
      },
    },
  }
}

/** One approval names one account. */
function oneAccount(addresses: readonly string[]): string {
  const [address, ...more] = new Set(addresses)
  if (address === undefined || more.length) throw invalidParameters('One request signs with one account')
  return address
}
