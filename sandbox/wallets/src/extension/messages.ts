/** Messages between the parts of the extension. */
import type { Visible } from './core/wallet.js'

export type ToWorker =
  /** A page loaded, and requests what it may see. */
  | { readonly type: 'hello' }
  | { readonly type: 'call'; readonly id: string; readonly method: string; readonly params: unknown }
  /** The user answered the approval request shown. */
  | { readonly type: 'answer'; readonly key: string; readonly approved: boolean }
export interface ToContent {
  readonly id?: string
  readonly result?: unknown
  readonly error?: { readonly code?: number; readonly message: string }
  readonly visible?: Visible
}
/** A call that waits for the user, kept in session storage because the worker may end at any time. */
export interface Pending {
  readonly key: string
  readonly id: string
  readonly tabId: number
  readonly frameId: number
  readonly origin: string
  readonly method: string
  readonly params: unknown
}
/** Storage key of the extension's state. */
export const STATE = 'state'
export const PENDING = 'pending'
/** Storage key of the approval window's id. */
export const WINDOW = 'window'
/** Storage key of the RPC address, which a user may change in the wallet's own window. */
export const RPC_URL = 'rpcUrl'
export const DEFAULT_RPC_URL = 'http://localhost:8899'
