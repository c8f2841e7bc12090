/** What outlives the page: the request that is under way, and the session. All that is secret in them is sealed. */
import type { KeyValue } from '@keybay/kernel'
import { isSame } from './exchange.js'
import type { DeepLinkMethod } from './results.js'

/** The method marker and what its answer needs (S4.3). */
export interface Pending {
  readonly method: DeepLinkMethod
  /** 128 bits, base58: comes back in the address. */
  readonly state: string
  /** Ours, of the exchange that the request belongs to; base58. */
  readonly publicKey: string
  readonly sealed: string
}
export interface Session {
  /** Ours, of the exchange; base58. */
  readonly publicKey: string
  /** The account. */
  readonly address: string
  /** e.g. `solana:mainnet`: a session is for one. */
  readonly chain: string
  /** ms since epoch, as text. */
  readonly connectedAt: string
  readonly sealed: string
}
export interface Slot<T> {
  get(): Promise<T | undefined>
  set(value: T): Promise<void>
  remove(): Promise<void>
}
export interface Records {
  readonly pending: Slot<Pending> & {
    /** Read once, cleared (S4.3). With another's state it stays: its own answer is still to come. */
    take(state: string): Promise<Pending | undefined>
  }
  readonly session: Slot<Session>
}

function isRecord<T extends object>(value: unknown, fields: readonly (keyof T)[]): value is T {
  return (
    typeof value === 'object' && value !== null && fields.every(field => typeof Reflect.get(value, field) === 'string')
  )
}

export function createRecords(storage: KeyValue, key: string): Records {
  const slot = <T extends object>(name: string, fields: readonly (keyof T)[]): Slot<T> => {
    const at = `deep-link:${key}:${name}`
    return {
      async get() {
        const value = await storage.get(at)
        return isRecord<T>(value, fields) ? value : undefined
      },
      set: value => storage.set(at, value),
      remove: () => storage.remove(at),
    }
  }
  const pending = slot<Pending>('pending', ['method', 'state', 'publicKey', 'sealed'])
  return {
    pending: {
      ...pending,
      async take(state) {
        const found = await pending.get()
        if (!found || !isSame(found.state, state)) return undefined
        await pending.remove()
        return found
      },
    },
    session: slot<Session>('session', ['publicKey', 'address', 'chain', 'connectedAt', 'sealed']),
  }
}
