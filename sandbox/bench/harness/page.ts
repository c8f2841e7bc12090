/** What an entry is given, and what a page notes down while it runs. Types only. */

/** The props of every entry's `App`. The component that holds the list calls all of it. */
export interface AppProps {
  /** In the body of the component that holds the list, on every render. */
  readonly onRender: () => void
  /** A hook, beside `onRender`: notes when a list of so many wallets is in the document. */
  readonly useCommit: (wallets: number) => void
  /** After the message was signed: the signature's length, in whatever unit the kit gives it. */
  readonly onSigned: (length: number) => void
}

/** All times are `performance.now()` of the page, ms since navigation started. */
export interface BenchState {
  evalStart: number
  evalEnd: number
  renders: number
  lastRender: number
  /** The wallets in the last committed list. */
  listed: number
  /** length of the list → when a list at least so long was first committed */
  readonly listedAt: number[]
  signed: number
}

/** One fake wallet, and what it can be made to do. */
export interface FakeWallet {
  /** Tells its listeners of `accounts` accounts, in new objects. Returns how many listen. */
  change(accounts: number): number
}
export interface FakeWallets {
  readonly list: readonly FakeWallet[]
  /** Registers one more. */
  add(): void
}

declare global {
  interface Window {
    bench: BenchState
    fakes: FakeWallets
  }
}
