/** A state of a view that depends on the user or the network: what the plugins answer there. */
import type { KeybayError, Registered } from '@keybay/kernel'
import type { ReactNode } from 'react'

export interface State {
  /** The app's instance, with these answers. */
  readonly keybay: Registered
  /** @param close for a dialog: no state shows then */
  view(close: () => void): ReactNode
}

const NONE = [] as const

export function nothing(): void {}

export function subscribe() {
  return nothing
}

export function getNone(): readonly [] {
  return NONE
}

export function never(): Promise<never> {
  return new Promise(nothing)
}

/** Returns a call that fails. */
export function fail(error: KeybayError): () => Promise<never> {
  return async () => {
    throw error
  }
}
