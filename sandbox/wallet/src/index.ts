/** `@keybay/sandbox-wallet`: the sandbox's wallet, for tests and demos of any app. */
import { registerSandboxWallet as register } from '@keybay/sandbox-wallets'
import { checkOrigin } from './check-origin.js'

export { VERSION } from './version.js'

export interface SandboxWalletOptions {
  /** Name of the wallet. Default `Sandbox Wallet`. */
  readonly name?: string
  /** RPC address that the wallet sends to on `solana:localnet`. Default `http://localhost:8899`. */
  readonly rpcUrl?: string
  /** RPC addresses of other chains: chain → address. Without one the wallet signs for the chain, but does not send. */
  readonly rpcUrls?: Readonly<Record<string, string>>
  /** Number of accounts of a new wallet. Default 2. */
  readonly accounts?: number
  /** Approves every request without a window, for automated tests. Default false. */
  readonly approveAll?: boolean
  /** Shows the round button that opens the wallet's panel. Default true. */
  readonly launcher?: boolean
  /** Prefix of the wallet's key in local storage; another prefix is another wallet. Default `keybay-sandbox-wallet:`. */
  readonly storagePrefix?: string
  /**
   * Origin of a page outside this machine that may have the wallet, such as `https://demo.example.com`. Anyone who can
   * run a script in that page can read the keys.
   */
  readonly allowOrigin?: string
}

/** Controls the wallet as a user does in its windows. */
export interface SandboxWallet {
  /** Approves all pending and future requests, except unlocking, which needs `unlock()`. */
  approveAll: boolean
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
  /** Creates a new account and switches to it. */
  addAccount(): void
  /** Presses "Disconnect this site": the app loses its accounts and is no longer trusted. */
  disconnect(): void
  /** Opens the wallet's panel. */
  open(): void
  /** Removes the wallet from the page and from every app that knows it. The keys stay in storage. */
  unregister(): void
}

/**
 * Adds a wallet to the page that apps find through Wallet Standard. Call it at any time, before or after the app loads.
 * Its keys are unencrypted in local storage, so it is for development, tests and demos only.
 *
 * @example
 * if (import.meta.env.DEV) registerSandboxWallet()
 * @throws Error on an origin that is neither on this machine nor `allowOrigin`, and where there is no page
 */
export function registerSandboxWallet({ allowOrigin, ...options }: SandboxWalletOptions = {}): SandboxWallet {
  checkOrigin(allowOrigin)
  return register(options)
}
