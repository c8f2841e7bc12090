/** Types of the state that a host reads: connections, attempts and the session. */
import type { WalletAccount } from '@wallet-standard/base'
import type { KeybayError } from './spec/errors.js'

export interface Connection {
  readonly connectorId: string
  /** The wallet's own objects; hand them back to its features as they are. */
  readonly accounts: readonly WalletAccount[]
  /** ms since epoch */
  readonly openedAt: number
}
export interface Connections {
  /** In the order in which the user opened them. */
  list(): readonly Connection[]
  get(connectorId: string): Connection | undefined
  subscribe(listener: () => void): () => void
}

export type SessionStatus =
  | 'anonymous'
  | 'authenticating'
  | 'verification'
  | 'mfa-required'
  | 'authenticated'
  | 'expired'
export interface SessionState {
  readonly status: SessionStatus
  readonly userId?: string
}

/** The result of an attempt: a connected wallet, or the session of a login. */
export type Outcome = Connection | SessionState
/** An attempt as a user sees it. It outlives a reload, because the return from a redirect resumes it. */
export interface Attempt {
  readonly connectorId: string
  /** `connect`, or the wallet method that returned from a redirect. */
  readonly method: string
  readonly status: 'connecting' | 'redirecting' | 'succeeded' | 'failed'
  readonly result?: Outcome | undefined
  readonly error?: KeybayError | undefined
}
export interface Attempts {
  /** In the order in which they began; the last one is what the user tried last. */
  list(): readonly Attempt[]
  get(connectorId: string): Attempt | undefined
  subscribe(listener: () => void): () => void
  /** Cancels a pending attempt, and forgets how the last one ended. */
  reset(connectorId: string): void
}
