/** Adapts an injected Solana provider to the Wallet Standard. */
import {
  type AccountStore,
  accountStore,
  type Kernel,
  type SolanaSignAndSendTransaction,
  type SolanaSignMessage,
  type SolanaSignTransaction,
} from '@keybay/kernel'
import {
  accountNotFound,
  type ErrorSpec,
  featureMissing,
  field,
  KeybayError,
  throwMessageError,
} from '@keybay/kernel/spec'
import type { IdentifierArray, Wallet, WalletAccount, WalletIcon } from '@wallet-standard/base'
import bs58 from 'bs58'
import { extensionAnswerInvalid, extensionGone, guard } from './errors.js'
import { type InjectedProvider, isFunction, subscribe } from './provider.js'

export interface WalletIdentity {
  readonly id: string
  readonly name: string
  readonly icon: WalletIcon
}
interface MessageInput {
  readonly account: WalletAccount
  readonly message: Uint8Array
}
interface TransactionInput {
  readonly account: WalletAccount
  readonly transaction: Uint8Array
}
type Method = 'signMessage' | 'signTransaction' | 'signAllTransactions' | 'signAndSendTransaction'
const FEATURES = [
  ['solana:signMessage', 'signMessage'],
  ['solana:signTransaction', 'signTransaction'],
  ['solana:signAndSendTransaction', 'signAndSendTransaction'],
] as const
const KEY_BYTES = 32
const SIGNATURE_BYTES = 64
const VERSIONS = { version: '1.0.0', supportedTransactionVersions: ['legacy', 0] } as const

function readAddress(publicKey: unknown): string | undefined {
  const text = publicKey ? String(publicKey) : ''
  return bs58.decodeUnsafe(text)?.length === KEY_BYTES ? text : undefined
}

type LoadTransactions = () => Promise<typeof import('./transactions.js')>

class InjectedAdapter {
  readonly #id: string
  readonly #chains: IdentifierArray
  readonly #find: () => InjectedProvider | undefined
  readonly #loadTransactions: LoadTransactions
  readonly #store: AccountStore = accountStore()
  #subscribed: InjectedProvider | undefined
  #unsubscribe = () => {}

  constructor(
    id: string,
    chains: IdentifierArray,
    find: () => InjectedProvider | undefined,
    loadTransactions: LoadTransactions,
  ) {
    this.#loadTransactions = loadTransactions
    this.#id = id
    this.#chains = chains
    this.#find = find
  }

  createWallet(name: string, icon: WalletIcon): Wallet {
    const store = this.#store
    return {
      version: '1.0.0',
      name,
      icon,
      chains: this.#chains,
      get accounts() {
        return store.accounts
      },
      features: {
        'standard:connect': {
          version: '1.0.0',
          connect: ({ silent = false } = {}) => this.#guard(() => this.#connect(silent)),
        },
        'standard:disconnect': { version: '1.0.0', disconnect: () => this.#guard(() => this.#disconnect()) },
        'standard:events': store.events,
        'solana:signMessage': {
          version: '1.0.0',
          signMessage: (...inputs) => this.#guard(() => this.#signMessages(inputs)).catch(throwMessageError),
        } satisfies SolanaSignMessage,
        'solana:signTransaction': {
          ...VERSIONS,
          signTransaction: (...inputs) => this.#guard(() => this.#signTransactions(inputs)),
        } satisfies SolanaSignTransaction,
        'solana:signAndSendTransaction': {
          ...VERSIONS,
          signAndSendTransaction: (...inputs) => this.#guard(() => this.#sendTransactions(inputs)),
        } satisfies SolanaSignAndSendTransaction,
      },
    }
  }

  unsubscribe(): void {
    this.#unsubscribe()
    this.#unsubscribe = () => {}
    this.#subscribed = undefined
  }

  async #connect(silent: boolean) {
    const provider = this.#getProvider()
    const response = await provider.connect(silent ? { onlyIfTrusted: true } : undefined)
    const publicKey = field(response, 'publicKey') ?? provider.publicKey
    if (!readAddress(publicKey) && !silent) throw this.#error(extensionAnswerInvalid)
    this.#subscribe(provider)
    this.#show(provider, publicKey)
    return { accounts: this.#store.accounts }
  }

  async #disconnect() {
    this.unsubscribe()
    this.#store.set([])
    const provider = this.#find()
    if (provider && isFunction(provider.disconnect)) await provider.disconnect.call(provider)
  }

  async #signMessages(inputs: readonly MessageInput[]) {
    const outputs = []
    for (const input of inputs) {
      const response = await this.#call('signMessage', [input], new Uint8Array(input.message), 'utf8')
      outputs.push({ signedMessage: input.message, signature: this.#readSignature(response, input) })
    }
    return outputs
  }

  async #signTransactions(inputs: readonly TransactionInput[]) {
    if (!inputs.length) return []
    const { deserialize, serialize } = await this.#loadTransactions()
    const transactions = inputs.map(({ transaction }) => deserialize(transaction))
    const signed: unknown[] = []
    if (transactions.length > 1 && isFunction(this.#getProvider().signAllTransactions)) {
      const response = await this.#call('signAllTransactions', inputs, transactions)
      if (!Array.isArray(response) || response.length !== transactions.length) throw this.#error(extensionAnswerInvalid)
      signed.push(...response)
    } else for (const transaction of transactions) signed.push(await this.#call('signTransaction', inputs, transaction))
    return signed.map((transaction, index) => {
      const signedTransaction = serialize(transaction, inputs[index]?.account.address)
      if (!signedTransaction) throw this.#error(extensionAnswerInvalid)
      return { signedTransaction }
    })
  }

  async #sendTransactions(inputs: readonly TransactionInput[]) {
    const { deserialize } = await this.#loadTransactions()
    const outputs = []
    // In order: a later transaction may depend on an earlier one.
    for (const input of inputs) {
      const response = await this.#call('signAndSendTransaction', inputs, deserialize(input.transaction))
      outputs.push({ signature: this.#readSignature(response, input) })
    }
    return outputs
  }

  /** Calls a method of the provider for accounts that must be connected. */
  async #call(
    method: Method,
    inputs: readonly { readonly account: WalletAccount }[],
    ...args: readonly unknown[]
  ): Promise<unknown> {
    const provider = this.#getProvider()
    const address = this.#store.accounts[0]?.address
    if (inputs.some(({ account }) => account.address !== address)) throw this.#error(accountNotFound)
    const call = provider[method]
    if (!isFunction(call)) throw this.#error(featureMissing, method)
    return call.apply(provider, [...args])
  }

  #readSignature(response: unknown, { account }: Pick<MessageInput, 'account'>): Uint8Array {
    const signature = response instanceof Uint8Array ? response : field(response, 'signature')
    const bytes = typeof signature === 'string' ? bs58.decodeUnsafe(signature) : signature
    // A provider of another realm has its own Uint8Array.
    const copy = ArrayBuffer.isView(bytes)
      ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength).slice()
      : undefined
    // The user may have switched accounts in the wallet; most wallets name the account that signed.
    const signer = readAddress(field(response, 'publicKey')) ?? account.address
    if (copy?.length !== SIGNATURE_BYTES || signer !== account.address) throw this.#error(extensionAnswerInvalid)
    return copy
  }

  #show(provider: InjectedProvider, publicKey: unknown): void {
    const address = readAddress(publicKey)
    const features = FEATURES.flatMap(([feature, method]) => (isFunction(provider[method]) ? [feature] : []))
    this.#store.set(
      address ? [Object.freeze({ address, publicKey: bs58.decode(address), chains: this.#chains, features })] : [],
    )
  }

  #subscribe(provider: InjectedProvider): void {
    if (this.#subscribed === provider || !isFunction(provider.on)) return
    this.unsubscribe()
    this.#subscribed = provider
    this.#unsubscribe = subscribe(provider, {
      accountChanged: publicKey => void this.#switchAccount(provider, publicKey),
      disconnect: () => this.#show(provider, undefined),
    })
  }

  async #switchAccount(provider: InjectedProvider, publicKey: unknown): Promise<void> {
    if (!this.#store.accounts.length) return // this page is not connected
    if (publicKey) return this.#show(provider, publicKey)
    // The page has not seen this account: a wallet that trusts the page tells which one it is.
    await this.#guard(() => this.#connect(true)).catch(() => this.#show(provider, undefined))
  }

  #getProvider(): InjectedProvider {
    const provider = this.#find()
    if (!provider) throw this.#error(extensionGone)
    return provider
  }

  #guard<T>(run: () => T | Promise<T>): Promise<T> {
    return guard(this.#id, run)
  }

  #error(spec: ErrorSpec, detail?: string): KeybayError {
    return new KeybayError(spec, { connectorId: this.#id, ...(detail !== undefined && { detail }) })
  }
}
/** @param find looks each time: a wallet may inject late, or be replaced by its newer version */
export function createInjectedWallet(
  kernel: Pick<Kernel, 'onDispose'>,
  { id, name, icon }: WalletIdentity,
  chains: IdentifierArray,
  find: () => InjectedProvider | undefined,
  loadTransactions: LoadTransactions,
): Wallet {
  const adapter = new InjectedAdapter(id, chains, find, loadTransactions)
  kernel.onDispose(() => adapter.unsubscribe())
  return adapter.createWallet(name, icon)
}
