/** The records that outlive the page: the pending request and the session. Their secrets are sealed. */
import type { KeyValue } from '@keybay/kernel'
import { hasShape } from '@keybay/kernel/spec'
import { isSame } from './exchange.js'
import type { DeepLinkMethod } from './results.js'

/** The pending request (S4.3). */
export interface Pending {
  readonly method: DeepLinkMethod
  /** 128 bits, base58; part of the return address. */
  readonly state: string
  /** This page's key of the exchange; base58. */
  readonly publicKey: string
  /** Query and fragment of the page that was left. Not sealed: the browser's history has them too. */
  readonly parameters: string
  readonly sealed: string
}
export interface Session {
  /** This page's key of the exchange; base58. */
  readonly publicKey: string
  readonly address: string
  /** e.g. `solana:mainnet`: a session is for one chain. */
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
    /** Reads and deletes the request (S4.3), unless its state differs: then its own response is still to come. */
    take(state: string): Promise<Pending | undefined>
  }
  readonly session: Slot<Session>
}

export function createRecords(storage: KeyValue, walletKey: string): Records {
  const slot = <T extends object>(name: string, shape: Parameters<typeof hasShape<T>>[1]): Slot<T> => {
    const key = `deep-link:${walletKey}:${name}`
    return {
      async get() {
        const value = await storage.get(key)
        return hasShape<T>(value, shape) ? value : undefined
      },
      set: value => storage.set(key, value),
      remove: () => storage.remove(key),
    }
  }
  const text = 'string'
  const pending = slot<Pending>('pending', {
    method: text,
    state: text,
    publicKey: text,
    parameters: text,
    sealed: text,
  })
  return {
    pending: {
      ...pending,
      async take(state) {
        const request = await pending.get()
        if (!request || !isSame(request.state, state)) return undefined
        await pending.remove()
        return request
      },
    },
    session: slot<Session>('session', { publicKey: text, address: text, chain: text, connectedAt: text, sealed: text }),
  }
}
