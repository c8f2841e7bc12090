/** Signing features of the sandbox wallet: check, request approval, sign. */
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
  /** Chain → RPC address for sending. */
  readonly rpcUrls: Readonly<Record<string, string>>
  /** Unlocks first if needed, then requests approval. Queues the request before it returns. */
  authorise(request: ApprovalRequest): Promise<void>
  /** Returns the app's current view of the account. @throws Error if the app may not use the account */
  requireAccount(account: WalletAccount): WalletAccount
  /** Lets the app use the active account from now on. */
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
    const rpcUrl = rpcUrls[chain]
    await authorise({ kind: 'transaction', origin, address: signer, chain, transactions, send, rpcUrl })
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

  /** A device also shows what it will not sign: the error follows the approval, as with real devices. */
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
        // Copied, so that the wallet signs what it showed even if the page changes its arrays.
        const messages = inputs.map(({ message }) => new Uint8Array(message))
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
        const copies = inputs.map(input => ({ ...input, transaction: new Uint8Array(input.transaction) }))
        const signed = await approveTransactions(copies, false)
        return signed.map(signedTransaction => ({ signedTransaction }))
      },
    },
    'solana:signAndSendTransaction': {
      version: '1.0.0',
      supportedTransactionVersions: VERSIONS,
      signAndSendTransaction: async (...inputs) => {
        if (!inputs.length) return []
        const copies = inputs.map(input => ({ ...input, transaction: new Uint8Array(input.transaction) }))
        const signed = await approveTransactions(copies, true)
        const sent = []
        // In order, because a later transaction may depend on an earlier one.
        for (const [index, input] of copies.entries()) sent.push(await send(input, signed[index] ?? new Uint8Array()))
        return sent
      },
    },
    'solana:signIn': {
      version: '1.0.0',
      signIn: async (...inputs) => {
        const requests = inputs.length ? inputs : [{}]
        const { address } = keyring.active
        const texts = requests.map(input => signIn(input, address))
        const foreignDomain = requests.some(({ domain }) => domain !== undefined && domain !== location.host)
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

/** Returns the only address, because an approval names one account. */
function oneAccount(addresses: readonly string[]): string {
  const [address, ...more] = new Set(addresses)
  if (address === undefined || more.length) throw invalidParameters('One request signs with one account')
  return address
}
