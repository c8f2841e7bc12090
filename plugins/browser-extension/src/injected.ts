/** An injected provider as a Wallet Standard wallet. One adapter for all of them. */
import type { Kernel, SolanaSignAndSendTransaction, SolanaSignMessage, SolanaSignTransaction } from '@keybay/kernel'
import type { IdentifierArray, Wallet, WalletAccount, WalletIcon } from '@wallet-standard/base'
import bs58 from 'bs58'
import { createChanges } from './changes.js'
import { extensionAnswerInvalid, extensionGone } from './errors.js'
import { createFaults, type KernelErrors } from './faults.js'
import type { InjectedProvider } from './provider.js'
import type * as transactions from './transactions.js'

interface Face {
  readonly id: string
  readonly name: string
  readonly icon: WalletIcon
  readonly chains: IdentifierArray
}
type Method = 'signMessage' | 'signTransaction' | 'signAllTransactions' | 'signAndSendTransaction' | 'disconnect'
/** Feature → the provider's method behind it. */
const METHODS = {
  'solana:signMessage': 'signMessage',
  'solana:signTransaction': 'signTransaction',
  'solana:signAndSendTransaction': 'signAndSendTransaction',
} as const satisfies Readonly<Record<string, Method>>
const KEY_BYTES = 32
const SIGNATURE_BYTES = 64

function isCall(value: unknown): value is (...args: readonly unknown[]) => unknown {
  return typeof value === 'function'
}

function has(provider: InjectedProvider, method: Method) {
  return isCall(provider[method])
}

function addressOf(publicKey: unknown): string | undefined {
  const text = publicKey ? String(publicKey) : ''
  return bs58.decodeUnsafe(text)?.length === KEY_BYTES ? text : undefined
}

/**
 * @param find looks anew each time: a wallet may come, or be replaced by its newer version
 * @param loadTransactions web3.js, which only who signs a transaction needs
 */
export function injectedWallet(
  kernel: Pick<Kernel, 'onDispose'>,
  { id, name, icon, chains }: Face,
  find: () => InjectedProvider | undefined,
  errors: KernelErrors,
  loadTransactions: () => Promise<typeof transactions>,
): Wallet {
  const faults = createFaults(errors, id)
  const invalid = () => faults.of(extensionAnswerInvalid)
  let accounts: readonly WalletAccount[] = []
  const changes = createChanges()
  const show = (provider: InjectedProvider, publicKey: unknown) => {
    const address = addressOf(publicKey)
    if (address === accounts[0]?.address) return accounts
    const features = Object.entries(METHODS).flatMap(([feature, method]) =>
      has(provider, method) ? [feature as keyof typeof METHODS] : [],
    )
    accounts = address ? [Object.freeze({ address, publicKey: bs58.decode(address), chains, features })] : []
    changes.emit({ accounts })
    return accounts
  }

  let heard: InjectedProvider | undefined
  let deafen = () => {}
  kernel.onDispose(() => deafen())
  /** It tells its accounts to whoever is connected. */
  const hear = (provider: InjectedProvider) => {
    if (heard === provider || !isCall(provider.on)) return
    deafen()
    heard = provider
    const switched = async (publicKey: unknown) => {
      if (!accounts.length) return // nobody here is connected
      if (publicKey) show(provider, publicKey)
      // An account that this page has not been shown: the wallet says which one to those that it trusts, or nothing.
      else await connect({ silent: true }).catch(() => show(provider, undefined))
    }
    const left = () => void show(provider, undefined)
    const events = { accountChanged: switched, disconnect: left }
    const remove = isCall(provider.off) ? provider.off : provider.removeListener
    for (const [event, listener] of Object.entries(events)) provider.on.call(provider, event, listener)
    deafen = () => {
      heard = undefined
      for (const [event, listener] of Object.entries(events)) if (isCall(remove)) remove.call(provider, event, listener)
    }
  }
  const present = () => {
    const provider = find()
    if (!provider) throw faults.of(extensionGone)
    return provider
  }
  const connect = ({ silent = false } = {}) =>
    faults.guard(async () => {
      const provider = present()
      const answer = await provider.connect(silent ? { onlyIfTrusted: true } : undefined)
      const publicKey = Object(answer).publicKey ?? provider.publicKey
      if (!addressOf(publicKey) && !silent) throw invalid()
      hear(provider)
      return { accounts: show(provider, publicKey) }
    })
  /** @param method of the provider, which must be there, for accounts that must be in use */
  const ask = async (
    method: Method,
    inputs: readonly { readonly account: WalletAccount }[],
    ...args: readonly unknown[]
  ): Promise<unknown> => {
    const provider = present()
    if (inputs.some(({ account }) => account.address !== accounts[0]?.address)) throw faults.of(faults.accountNotFound)
    const call = provider[method]
    if (!isCall(call)) throw faults.of(faults.featureMissing, { detail: method })
    return call.apply(provider, [...args])
  }
  const signatureOf = (answer: unknown): Uint8Array => {
    const given = answer instanceof Uint8Array ? answer : Object(answer).signature
    const bytes = typeof given === 'string' ? bs58.decodeUnsafe(given) : given
    // A provider of another realm, or Node’s Buffer, is an array of bytes too.
    const signature = ArrayBuffer.isView(bytes) ? Uint8Array.from(bytes as Uint8Array) : undefined
    if (signature?.length !== SIGNATURE_BYTES) throw invalid()
    return signature
  }
  const signMessage: SolanaSignMessage['signMessage'] = (...inputs) =>
    faults.guard(async () => {
      const outputs = []
      for (const input of inputs) {
        const signedMessage = input.message.slice()
        const answer = await ask('signMessage', [input], input.message.slice(), 'utf8')
        outputs.push({ signedMessage, signature: signatureOf(answer) })
      }
      return outputs
    })
  const signTransaction: SolanaSignTransaction['signTransaction'] = (...inputs) =>
    faults.guard(async () => {
      if (!inputs.length) return []
      const copies = inputs.map(({ transaction }) => transaction.slice())
      const { read, write } = await loadTransactions()
      const given = copies.map(read)
      const several = given.length > 1 && has(present(), 'signAllTransactions')
      const answers: unknown[] = []
      if (several) {
        const signed = await ask('signAllTransactions', inputs, given)
        if (!Array.isArray(signed) || signed.length !== given.length) throw invalid()
        answers.push(...signed)
      } else for (const transaction of given) answers.push(await ask('signTransaction', inputs, transaction))
      return answers.map(answer => {
        const signedTransaction = write(answer)
        if (!signedTransaction) throw invalid()
        return { signedTransaction }
      })
    })
  const signAndSendTransaction: SolanaSignAndSendTransaction['signAndSendTransaction'] = (...inputs) =>
    faults.guard(async () => {
      const copies = inputs.map(({ transaction }) => transaction.slice())
      const { read } = await loadTransactions()
      const outputs = []
      // In order: a later one may build on an earlier one.
      for (const transaction of copies)
        outputs.push({ signature: signatureOf(await ask('signAndSendTransaction', inputs, read(transaction))) })
      return outputs
    })
  const versions = { version: '1.0.0', supportedTransactionVersions: ['legacy', 0] } as const
  return {
    version: '1.0.0',
    name,
    icon,
    chains,
    get accounts() {
      return accounts
    },
    features: {
      'standard:connect': { version: '1.0.0', connect },
      'standard:disconnect': {
        version: '1.0.0',
        disconnect: () =>
          faults.guard(async () => {
            deafen()
            accounts = []
            const provider = find()
            if (provider && isCall(provider.disconnect)) await provider.disconnect.call(provider)
          }),
      },
      'standard:events': changes.feature,
      'solana:signMessage': { version: '1.0.0', signMessage },
      'solana:signTransaction': { ...versions, signTransaction },
      'solana:signAndSendTransaction': { ...versions, signAndSendTransaction },
    },
  }
}
