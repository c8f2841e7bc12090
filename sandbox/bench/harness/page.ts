/** Types of an entry's props and of the page's measurements. */

/** Props of every entry's `App`. The component that renders the list calls all of them. */
export interface AppProps {
  /** Called in the body of the list component, on every render. */
  readonly onRender: () => void
  /** Hook called beside `onRender`: records when a list of this length is in the document. */
  readonly useCommit: (wallets: number) => void
  /** Called after the message was signed, with the signature's length in the kit's own unit. */
  readonly onSigned: (length: number) => void
}

/** All times are the page's `performance.now()`, in ms since navigation started. */
export interface BenchState {
  evalStart: number
  evalEnd: number
  renders: number
  lastRender: number
  listed: number
  /** length of the list → when a list of at least this length was first committed */
  readonly listedAt: number[]
  signed: number
}

export interface FakeWallet {
  /** Emits a change to `accounts` accounts, as new objects. Returns the number of listeners. */
  change(accounts: number): number
}
export interface FakeWallets {
  readonly list: readonly FakeWallet[]
  /** Registers one more wallet. */
  add(): void
}

declare global {
  interface Window {
    bench: BenchState
    fakes: FakeWallets
  }
}
