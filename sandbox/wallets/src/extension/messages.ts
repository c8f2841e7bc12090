/** What the parts of the extension say to each other. */
import type { Visible } from './core/wallet.js'

export type ToWorker =
  /** A page is there, and wants to know what it may know. */
  | { readonly type: 'hello' }
  | { readonly type: 'call'; readonly id: string; readonly method: string; readonly params: unknown }
  /** The user answered the question that is shown. */
  | { readonly type: 'answer'; readonly key: string; readonly approved: boolean }
  /** The wallet's own window changed something. */
  | { readonly type: 'changed' }
export interface ToContent {
  readonly id?: string
  readonly result?: unknown
  readonly error?: { readonly code?: number; readonly message: string }
  readonly visible?: Visible
}
/** A call that waits for the user; in session storage, because the worker may end at any time. */
export interface Pending {
  readonly key: string
  readonly id: string
  readonly tabId: number
  readonly frameId: number
  readonly origin: string
  readonly method: string
  readonly params: unknown
}
/** Where the extension keeps what it remembers. */
export const STATE = 'state'
export const PENDING = 'pending'
/** The id of the window that asks. */
export const WINDOW = 'window'
/** Where it sends; a user may change it in the wallet's own window. */
export const RPC_URL = 'rpcUrl'
export const DEFAULT_RPC_URL = 'http://localhost:8899'
