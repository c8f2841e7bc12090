/** Types of `keybay.devtools`. */
import type { Plugin } from '@keybay/kernel'

export interface DevtoolsOptions {
  /** Opens the panel when the app starts. Default false. */
  readonly open?: boolean | undefined
  /** Name of the panel. Default `Keybay devtools`. */
  readonly title?: string | undefined
}

/** One recorded event of the bus. */
export interface Entry {
  readonly id: number
  /** ms since epoch */
  readonly at: number
  readonly event: string
  /** JSON-compatible, and redacted before it was stored. */
  readonly payload: unknown
  /** Time of the click that led to it: the last one in the page, if it is recent. */
  readonly clickedAt?: number | undefined
}

export interface DevtoolsApi {
  readonly isOpen: boolean
  /** Shows the panel. Its code loads with the first call. */
  open(): Promise<void>
  close(): void
  /** Calls the listener when the panel opened or closed. */
  subscribe(listener: () => void): () => void
  /** Returns connectors, session, actions and events as JSON, without secrets. */
  export(): Promise<string>
}
export type DevtoolsPlugin = Plugin<'devtools', DevtoolsApi>

declare module '@keybay/kernel' {
  interface KeybayPlugins {
    devtools: DevtoolsApi
  }
}
