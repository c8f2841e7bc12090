/** The connector, as it loads with the first call. */
import type {
  ConnectContext,
  Kernel,
  SolanaSignAndSendTransaction,
  SolanaSignMessage,
  SolanaSignTransaction,
} from '@keybay/kernel'
import type { MobileWallet } from '@solana-mobile/mobile-wallet-adapter-protocol'
import type { IdentifierString, Wallet, WalletAccount, WalletIcon } from '@wallet-standard/base'
import { askForLoopback, loopbackState } from './association.js'
import { mobileWalletAnswerInvalid, mobileWalletBlocked } from './errors.js'
import { createFaults, type KernelErrors } from './faults.js'
import { fromBase64, readSignature, SIGNATURE_BYTES, toBase64 } from './payloads.js'
import type { MobileWalletOptions } from './plugin.js'
import { createSession, type SignInPayload } from './session.js'

export interface Engine {
  readonly wallet: Wallet
  connect(ctx: ConnectContext): Promise<readonly WalletAccount[]>
  disconnect(): Promise<void>
}
interface Face {
  readonly name: string
  readonly icon: WalletIcon
  readonly chain: IdentifierString
  readonly identity: MobileWalletOptions['identity']
}
interface Input {
  readonly account: WalletAccount
  readonly chain?: string
}

function createEngine(kernel: Kernel, { name, icon, chain, identity }: Face, errors: KernelErrors): Engine {
  const [, , , accountNotFound, featureMissing, configInvalid, connectTimeout] = errors
  const faults = createFaults(errors)
  const session = createSession({ kernel, chain, identity, faults, late: () => faults.of(connectTimeout) })
  const invalid = () => faults.of(mobileWalletAnswerInvalid)
  /** A wallet app comes to the front only in a moment that the user caused: the browser's own question takes that moment. */
  const allow = async ({ prompt }: Pick<ConnectContext, 'prompt'>) => {
    if ((await loopbackState()) === 'prompt') {
      await askForLoopback()
      if ((await loopbackState()) === 'granted')
        await prompt({
          type: 'choice',
          title: 'Connect your wallet app',
          options: [{ id: 'open', label: 'Open wallet' }],
        })
    }
    if ((await loopbackState()) === 'denied') throw faults.of(mobileWalletBlocked)
  }
  const check = (inputs: readonly Input[]) => {
    for (const { account, chain: asked = chain } of inputs) {
      if (!session.accounts.some(({ address }) => address === account.address)) throw faults.of(accountNotFound)
      if (asked !== chain) throw faults.of(configInvalid, { detail: `connected on ${chain}` })
    }
  }
  /** One answer for each input, in the same order. */
  const all = <T>(answers: unknown, count: number, read: (answer: unknown, index: number) => T | undefined): T[] => {
    if (!Array.isArray(answers) || answers.length !== count) throw invalid()
    return answers.map((answer, index) => {
      const output = read(answer, index)
      if (!output) throw invalid()
      return output
    })
  }
  const ask = async <T>(inputs: readonly Input[], act: (wallet: MobileWallet) => Promise<T>): Promise<T> => {
    await session.restore()
    check(inputs)
    return session.use(async wallet => {
      check(inputs) // the user may have changed the account since
      return act(wallet)
    })
  }
  const signMessage: SolanaSignMessage['signMessage'] = async (...inputs) => {
    if (!inputs.length) return []
    const messages = inputs.map(({ message }) => message.slice()) // the page may change its arrays while we wait
    const addresses = inputs.map(({ account }) => toBase64(new Uint8Array(account.publicKey)))
    const payloads = messages.map(toBase64)
    const { signed_payloads } = await ask(inputs, wallet => wallet.signMessages({ addresses, payloads }))
    return all(signed_payloads, inputs.length, (payload, index) => {
      const signedMessage = messages[index] ?? new Uint8Array()
      const signature = readSignature(payload, signedMessage)
      return signature && { signedMessage, signature }
    })
  }
  const signTransaction: SolanaSignTransaction['signTransaction'] = async (...inputs) => {
    if (!inputs.length) return []
    const payloads = inputs.map(({ transaction }) => toBase64(transaction))
    const { signed_payloads } = await ask(inputs, async wallet => {
      // Optional since version 2 of the protocol: such a wallet sends what it signs.
      const { features } = await wallet.getCapabilities()
      if (features && !features.includes('solana:signTransactions'))
        throw faults.of(featureMissing, { detail: 'signTransaction' })
      return wallet.signTransactions({ payloads })
    })
    return all(signed_payloads, inputs.length, payload => {
      const signedTransaction = fromBase64(payload)
      return signedTransaction && { signedTransaction }
    })
  }
  const signAndSendTransaction: SolanaSignAndSendTransaction['signAndSendTransaction'] = async (...inputs) => {
    if (!inputs.length) return []
    const payloads = inputs.map(({ transaction }) => toBase64(transaction))
    const { signatures } = await ask(inputs, wallet => wallet.signAndSendTransactions({ payloads }))
    return all(signatures, inputs.length, answer => {
      const signature = fromBase64(answer)
      return signature?.length === SIGNATURE_BYTES ? { signature } : undefined
    })
  }
  /** One trip that connects and proves the address. */
  const signIn = async (input: SignInPayload) => {
    const answer = await session.authorise(undefined, { ...input, domain: input.domain ?? location.host })
    const { signed_message, signature } = answer.sign_in_result ?? {}
    const signedMessage = fromBase64(signed_message)
    const proof = fromBase64(signature)
    const [account] = session.accounts
    if (!account || !signedMessage || proof?.length !== SIGNATURE_BYTES) throw invalid()
    return [{ account, signedMessage, signature: proof }]
  }
  const versions = { version: '1.0.0', supportedTransactionVersions: ['legacy', 0] } as const
  return {
    wallet: {
      version: '1.0.0',
      name,
      icon,
      chains: [chain],
      get accounts() {
        return session.accounts
      },
      features: {
        'standard:events': {
          version: '1.0.0',
          on: (_event: 'change', listener: (change: { readonly accounts: readonly WalletAccount[] }) => void) =>
            session.subscribe(accounts => listener({ accounts })),
        },
        'solana:signIn': { version: '1.0.0', signIn },
        'solana:signMessage': { version: '1.0.0', signMessage },
        'solana:signTransaction': { ...versions, signTransaction },
        'solana:signAndSendTransaction': { ...versions, signAndSendTransaction },
      },
    },
    async connect(ctx) {
      // It knows us still: nobody is asked, and the wallet's app stays where it is.
      const known = await session.restore()
      ctx.signal.throwIfAborted()
      if (known.length || ctx.silent) return known
      await allow(ctx)
      await session.authorise(ctx.signal)
      return session.accounts
    },
    disconnect: session.end,
  }
}

const engines = new WeakMap<Kernel, Engine>()
/** The one engine of an instance, kept here because every byte of the plugin's own file is in the page's first chunk. */
export function engineOf(kernel: Kernel, face: Face, errors: KernelErrors): Engine {
  const engine = engines.get(kernel) ?? createEngine(kernel, face, errors)
  engines.set(kernel, engine)
  return engine
}
