/**
 * Wallet for manual use and for tests: real keys in the page, an approval window, and a handle that answers its
 * requests.
 */
import type { IdentifierString, Wallet, WalletIcon } from '@wallet-standard/base'
import { announce } from './announce.js'
import { ICON } from './icon.js'
import { type HardwareMode, openKeyring } from './keyring.js'
import { type ApprovalRequest, createRequests } from './requests.js'
import { createUi } from './ui.js'
import { createStandardWallet, FEATURES, type FeatureName } from './wallet.js'

export const CHAINS = ['solana:localnet', 'solana:devnet', 'solana:testnet', 'solana:mainnet'] as const

export interface SandboxWalletOptions {
  /** Name of the wallet. Default `Sandbox Wallet`. */
  readonly name?: string
  readonly icon?: WalletIcon
  /** Supported chains. Default all four of Solana's. */
  readonly chains?: readonly IdentifierString[]
  /** Supported features. Default all. Leave some out to simulate a limited wallet. */
  readonly features?: readonly FeatureName[]
  /** RPC address that signAndSendTransaction uses on `solana:localnet`. Default `http://localhost:8899`. */
  readonly rpcUrl?: string
  /** RPC addresses of other chains: chain → address. */
  readonly rpcUrls?: Readonly<Record<string, string>>
  /** Number of accounts of a new wallet. Default 2. */
  readonly accounts?: number
  /** Hardware mode of a new wallet; a hardware wallet rejects messages. Default false. */
  readonly hardware?: HardwareMode
  /** Prefix of the keys in local storage. Default `keybay-sandbox-wallet:`. */
  readonly storagePrefix?: string
  /** Approves every request without a window. Default false. */
  readonly approveAll?: boolean
  /** Shows the round button that opens the control panel. Default true. */
  readonly launcher?: boolean
}

/** Controls the wallet as a user does in its windows. */
export interface SandboxWallet {
  readonly wallet: Wallet
  /** Approves all pending and future requests, except unlocking, which needs `unlock()`. */
  approveAll: boolean
  /** Request shown in the window. */
  readonly pending: ApprovalRequest | undefined
  /** All addresses, whether or not the app sees them. */
  readonly addresses: readonly string[]
  /**
   * Presses the approval window's primary button; unlocks if that is requested. @throws Error if no request is pending
   */
  approve(): void
  /** @throws Error if no request is pending */
  reject(): void
  /** Locks the wallet. Pending requests fail with "The wallet is locked". */
  lock(): void
  unlock(): void
  /** @throws RangeError if the account does not exist */
  switchAccount(index: number): void
  /** Hardware mode: the keys are on a device that signs transactions and rejects messages. */
  readonly hardware: HardwareMode
  setHardware(hardware: HardwareMode): void
  /** Creates a new account and switches to it. */
  addAccount(): void
  /** Presses "Disconnect this site": the app loses its accounts and is no longer trusted. */
  disconnect(): void
  setChains(chains: readonly IdentifierString[]): void
  setFeatures(features: readonly FeatureName[]): void
  /** Opens the control panel. */
  open(): void
  /** Removes the wallet from the page and from every app that knows it. The keys stay in storage. */
  unregister(): void
}

const registered: SandboxWallet[] = []

/**
 * Adds the sandbox wallet to the page. Call it at any time, before or after the app loads.
 *
 * @example
 * const wallet = registerSandboxWallet({ rpcUrl: 'http://localhost:8899' })
 * wallet.lock() // the next connect asks to unlock first
 */
export function registerSandboxWallet(options: SandboxWalletOptions = {}): SandboxWallet {
  const { name = 'Sandbox Wallet', icon = ICON, chains = CHAINS, features = FEATURES, launcher = true } = options
  const { rpcUrl = 'http://localhost:8899', storagePrefix = 'keybay-sandbox-wallet:' } = options
  const keyring = openKeyring(`${storagePrefix}keyring`, {
    accounts: options.accounts ?? 2,
    hardware: options.hardware ?? false,
  })
  const requests = createRequests()
  const rpcUrls = { 'solana:localnet': rpcUrl, ...options.rpcUrls }
  const controlled = createStandardWallet({ name, icon, chains, features, rpcUrls, keyring, requests })
  let approveAll = options.approveAll ?? false

  const answerAll = () => {
    if (approveAll) requests.answerAll(true, ({ kind }) => kind !== 'unlock')
  }
  const lock = () => {
    keyring.setLocked(true)
    requests.lock()
  }
  const unlock = () => {
    keyring.setLocked(false)
    requests.answerAll(true, ({ kind }) => kind === 'unlock')
  }
  const approve = () => (requests.current?.kind === 'unlock' ? unlock() : requests.answer(true))
  const reject = () => requests.answer(false)
  const disconnect = () => keyring.setTrust(location.origin, false)

  // Subscribes before the window does, so that the window does not flash.
  const unsubscribe = requests.subscribe(answerAll)
  const ui = createUi({ name, icon, keyring, requests, launcher, approve, reject, lock, unlock, disconnect })
  const withdraw = announce(controlled.wallet)

  const handle: SandboxWallet = {
    wallet: controlled.wallet,
    get approveAll() {
      return approveAll
    },
    set approveAll(value) {
      approveAll = value
      answerAll()
    },
    get pending() {
      return requests.current
    },
    get addresses() {
      return keyring.keys.map(({ address }) => address)
    },
    approve,
    reject,
    lock,
    unlock,
    switchAccount: keyring.select,
    get hardware() {
      return keyring.hardware
    },
    setHardware: keyring.setHardware,
    addAccount: keyring.add,
    disconnect,
    setChains: controlled.setChains,
    setFeatures: controlled.setFeatures,
    open: ui.openPanel,
    unregister: () => {
      const index = registered.indexOf(handle)
      if (index < 0) return
      registered.splice(index, 1)
      withdraw()
      requests.answerAll(false, () => true)
      controlled.dispose()
      unsubscribe()
      ui.dispose()
      keyring.dispose()
    },
  }
  registered.push(handle)
  return handle
}

/** Opens the control panel of the last registered sandbox wallet. @throws Error if no wallet is registered */
export function openSandboxWallet(): void {
  const last = registered.at(-1)
  if (!last) throw new Error('There is no sandbox wallet in this page: call registerSandboxWallet() first.')
  last.open()
}
