/** Adapts an EIP-1193 provider to the Wallet Standard. */
import { type AccountStore, accountStore, type Kernel, type WalletWith } from '@keybay/kernel'
import {
  accountNotFound,
  type ErrorSpec,
  fromHex,
  isKeybayError,
  KeybayError,
  throwMessageError,
  toHex,
  unsupportedChain,
} from '@keybay/kernel/spec'
import type { WalletAccount, WalletIcon } from '@wallet-standard/base'
import { evmChainUnknown, extensionAnswerInvalid, guard } from '../errors.js'
import type { WalletIdentity } from '../injected.js'
import { subscribe } from '../provider.js'
import type { EvmProvider } from './announced.js'
import type {
  EvmChain,
  EvmReceipt,
  EvmSendTransaction,
  EvmSignMessage,
  EvmSignTypedData,
  EvmSwitchChain,
  EvmTransaction,
  Hex,
} from './features.js'
import { waitForReceipt } from './receipt.js'

const FEATURES = ['evm:signMessage', 'evm:signTypedData', 'evm:switchChain', 'evm:sendTransaction'] as const
type EvmWallet = WalletWith<'standard:connect' | 'standard:disconnect' | 'standard:events' | (typeof FEATURES)[number]>
const ADDRESS_BYTES = 20
const SIGNATURE_BYTES = 65
const HASH_BYTES = 32

function isHex(value: unknown, bytes: number): value is Hex {
  return typeof value === 'string' && new RegExp(`^0x[0-9a-f]{${bytes * 2}}$`, 'i').test(value)
}
/** Ethereum's form of a number. */
function toQuantity(number: bigint): Hex {
  return `0x${number.toString(16)}`
}

function toChain(id: unknown): EvmChain | undefined {
  const number = Number(id)
  return Number.isSafeInteger(number) && number > 0 ? `eip155:${number}` : undefined
}
/** Parameters of `eth_sendTransaction`. */
function toCall(from: Hex, { to, value, data, gas }: EvmTransaction): object {
  return {
    from,
    ...(to && { to }),
    ...(value !== undefined && { value: toQuantity(value) }),
    ...(data && { data }),
    ...(gas !== undefined && { gas: toQuantity(gas) }),
  }
}

class EvmAdapter {
  readonly #id: string
  readonly #provider: EvmProvider
  readonly #clock: Kernel['clock']
  readonly #store: AccountStore = accountStore()
  #chain: EvmChain = 'eip155:1'
  #unsubscribe = () => {}

  constructor(id: string, provider: EvmProvider, clock: Kernel['clock']) {
    this.#id = id
    this.#provider = provider
    this.#clock = clock
  }

  createWallet(name: string, icon: WalletIcon): EvmWallet {
    const store = this.#store
    return {
      version: '1.0.0',
      name,
      icon,
      chains: [this.#chain],
      get accounts() {
        return store.accounts
      },
      features: {
        'standard:connect': { version: '1.0.0', connect: ({ silent = false } = {}) => this.#connect(silent) },
        'standard:disconnect': { version: '1.0.0', disconnect: () => this.#disconnect() },
        'standard:events': store.events,
        'evm:signMessage': { version: '1.0.0', signMessage: input => this.#signMessage(input) },
        'evm:signTypedData': { version: '1.0.0', signTypedData: input => this.#signTypedData(input) },
        'evm:switchChain': { version: '1.0.0', switchChain: input => this.#switchChain(input) },
        'evm:sendTransaction': { version: '1.0.0', sendTransaction: input => this.#sendTransaction(input) },
      },
    }
  }

  unsubscribe(): void {
    this.#unsubscribe()
    this.#unsubscribe = () => {}
  }

  async #connect(silent: boolean) {
    const addresses = await this.#request(silent ? 'eth_accounts' : 'eth_requestAccounts')
    const chain = toChain(await this.#request('eth_chainId'))
    if (!chain) throw this.#error(extensionAnswerInvalid)
    this.#show(addresses, chain)
    const { accounts } = this.#store
    if (accounts.length) this.#subscribe()
    return { accounts }
  }

  async #disconnect(): Promise<void> {
    this.unsubscribe()
    this.#store.set([])
    // A wallet without EIP-2255 goes on trusting this page; the user can change that in the wallet's settings.
    await this.#request('wallet_revokePermissions', [{ eth_accounts: {} }]).catch(() => {})
  }

  async #signMessage({ account, message }: Parameters<EvmSignMessage['signMessage']>[0]) {
    const address = this.#getAddress(account)
    return this.#readSignature(await this.#ask('personal_sign', [`0x${toHex(message)}`, address]))
  }

  async #signTypedData({ account, typedData }: Parameters<EvmSignTypedData['signTypedData']>[0]) {
    const address = this.#getAddress(account)
    const json = JSON.stringify(typedData, (_key, value) => (typeof value === 'bigint' ? value.toString() : value))
    return this.#readSignature(await this.#ask('eth_signTypedData_v4', [address, json]))
  }

  async #switchChain({ chain, add }: Parameters<EvmSwitchChain['switchChain']>[0]): Promise<void> {
    const number = Number(chain.split(':')[1])
    if (!toChain(number)) throw this.#error(unsupportedChain, chain)
    const chainId = toQuantity(BigInt(number))
    const change = () => this.#request('wallet_switchEthereumChain', [{ chainId }])
    await change().catch(async error => {
      if (!add || !isKeybayError(error, evmChainUnknown)) throw error
      await this.#request('wallet_addEthereumChain', [{ chainId, ...add }])
      await change()
    })
    // Not every wallet emits `chainChanged` here.
    this.#setChain(await this.#request('eth_chainId'))
    if (this.#chain !== chain) throw this.#error(unsupportedChain, chain)
  }

  async #sendTransaction({
    account,
    transaction,
    chain,
    onSent,
    signal,
  }: Parameters<EvmSendTransaction['sendTransaction']>[0]): Promise<EvmReceipt> {
    const from = this.#getAddress(account)
    // The wallet sends on its current chain: on another one this would be another payment.
    if (chain !== undefined && chain !== toChain(await this.#request('eth_chainId')))
      throw this.#error(unsupportedChain, `${chain}: the wallet is on ${this.#chain}`)
    signal?.throwIfAborted()
    const hash = await this.#request('eth_sendTransaction', [toCall(from, transaction)])
    if (!isHex(hash, HASH_BYTES)) throw this.#error(extensionAnswerInvalid)
    onSent?.(hash)
    const request = (method: string, params: unknown) => this.#request(method, params)
    return waitForReceipt({ hash, request, clock: this.#clock, connectorId: this.#id, signal })
  }

  #request(method: string, params?: unknown): Promise<unknown> {
    return guard(this.#id, () => this.#provider.request(params === undefined ? { method } : { method, params }))
  }

  /** Asks for the signature of a message. */
  #ask(method: string, params: unknown): Promise<unknown> {
    return this.#request(method, params).catch(throwMessageError)
  }

  #show(addresses: unknown, chain: EvmChain): void {
    this.#chain = chain
    const valid: readonly unknown[] = Array.isArray(addresses) ? addresses : []
    this.#store.set(
      valid
        .filter(address => isHex(address, ADDRESS_BYTES))
        .map(address =>
          Object.freeze({ address, publicKey: fromHex(address.slice(2)), chains: [chain], features: FEATURES }),
        ),
    )
  }

  #setChain(id: unknown): void {
    this.#show(
      this.#store.accounts.map(({ address }) => address),
      toChain(id) ?? this.#chain,
    )
  }

  #subscribe(): void {
    this.unsubscribe()
    // `disconnect` only says that the wallet's node is unreachable: the accounts stay (EIP-1193).
    this.#unsubscribe = subscribe(this.#provider, {
      // Empty while the wallet is locked, and filled again when it is unlocked.
      accountsChanged: addresses => this.#show(addresses, this.#chain),
      chainChanged: id => this.#setChain(id),
    })
  }

  #getAddress({ address }: WalletAccount): Hex {
    const connected = this.#store.accounts.some(account => account.address === address)
    if (!connected || !isHex(address, ADDRESS_BYTES)) throw this.#error(accountNotFound)
    return address
  }

  #readSignature(signature: unknown): { readonly signature: Hex } {
    if (!isHex(signature, SIGNATURE_BYTES)) throw this.#error(extensionAnswerInvalid)
    return { signature }
  }

  #error(spec: ErrorSpec, detail?: string): KeybayError {
    return new KeybayError(spec, { connectorId: this.#id, ...(detail !== undefined && { detail }) })
  }
}

export function createEvmWallet(
  { clock, onDispose }: Pick<Kernel, 'clock' | 'onDispose'>,
  { id, name, icon }: WalletIdentity,
  provider: EvmProvider,
): EvmWallet {
  const adapter = new EvmAdapter(id, provider, clock)
  onDispose(() => adapter.unsubscribe())
  return adapter.createWallet(name, icon)
}
