/** The wallet for people and for tests: real keys in the page, a window that asks, and a handle that answers for it. */
import type { IdentifierString, Wallet, WalletIcon } from '@wallet-standard/base'
import { announce } from './announce.js'
import { ICON } from './icon.js'
import { type HardwareMode, openKeyring } from './keyring.js'
import { type ApprovalRequest, createRequests } from './requests.js'
import { createUi } from './ui.js'
import { createStandardWallet, FEATURES, type FeatureName } from './wallet.js'

export const CHAINS = ['solana:localnet', 'solana:devnet', 'solana:testnet', 'solana:mainnet'] as const

export interface SandboxWalletOptions {
  /** Default `Sandbox Wallet`. */
  readonly name?: string
  readonly icon?: WalletIcon
  /** Default all four of Solana's. */
  readonly chains?: readonly IdentifierString[]
  /** Default all. Leave some out to be a wallet that cannot do everything. */
  readonly features?: readonly FeatureName[]
  /** Where signAndSendTransaction sends on `solana:localnet`. Default `http://localhost:8899`. */
  readonly rpcUrl?: string
  /** The same for other chains: chain → address. */
  readonly rpcUrls?: Readonly<Record<string, string>>
  /** How many accounts a new wallet starts with. Default 2. */
  readonly accounts?: number
  /** Whether a new wallet starts as a hardware wallet, which refuses messages. Default false. */
  readonly hardware?: HardwareMode
  /** Under which prefix the keys are kept in local storage. Default `keybay-sandbox-wallet:`. */
  readonly storagePrefix?: string
  /** Answer every request with yes, without a window. Default false. */
  readonly approveAll?: boolean
  /** The round button that opens the control panel. Default true. */
  readonly launcher?: boolean
}

/** Does what a user could do in the wallet's windows. */
export interface SandboxWallet {
  readonly wallet: Wallet
  /** Approves what waits and whatever comes, except unlocking: that stays `unlock()`. */
  approveAll: boolean
  /** What the window shows. */
  readonly pending: ApprovalRequest | undefined
  /** All addresses, whether the site sees them or not. */
  readonly addresses: readonly string[]
  /** The approval window's first button to the right; unlocks when that is asked. @throws Error when nothing is asked */
  approve(): void
  /** @throws Error when nothing is asked */
  reject(): void
  /** What waits for an answer fails with "The wallet is locked". */
  lock(): void
  unlock(): void
  /** @throws RangeError when there is no such account */
  switchAccount(index: number): void
  /** Whether the keys are on a device that signs transactions and refuses messages. */
  readonly hardware: HardwareMode
  setHardware(hardware: HardwareMode): void
  /** Makes a new account and switches to it. */
  addAccount(): void
  /** "Disconnect this site": the site loses its accounts and is no longer trusted. */
  disconnect(): void
  setChains(chains: readonly IdentifierString[]): void
  setFeatures(features: readonly FeatureName[]): void
  /** Opens the control panel. */
  open(): void
  /** Takes the wallet out of the page and of every app that knows it. The keys stay in storage. */
  unregister(): void
}

const registered: SandboxWallet[] = []

/**
 * Puts the sandbox wallet in the page. May be called at any time, before or after the app.
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

  // Before the window hears of a request, so that it does not flash.
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

/** Opens the control panel of the sandbox wallet that was registered last. @throws Error when there is none */
export function openSandboxWallet(): void {
  const last = registered.at(-1)
  if (!last) throw new Error('There is no sandbox wallet in this page: call registerSandboxWallet() first.')
  last.open()
}
