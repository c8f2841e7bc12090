/**
 * Key of a session: P-256, not extractable, new for each sign-in. Stored in IndexedDB for all tabs, or in memory if
 * IndexedDB is blocked: then the session ends with the page.
 */
import { inStore } from '@keybay/kernel/spec'

/** Row in IndexedDB. The private key never leaves the browser. */
export interface ProofKey {
  readonly privateKey: CryptoKey
  readonly jwk: { readonly kty: 'EC'; readonly crv: 'P-256'; readonly x: string; readonly y: string }
  /** ID of the session that the key is bound to, if any. */
  readonly sessionId?: string
  /** `expiresAt` of the last token renewed with this key. */
  readonly renewed?: number
  /** Values that plugins keep for as long as the session, by name. */
  readonly values?: Readonly<Record<string, unknown>>
}
/** `pending` is the key of a sign-in and survives a redirect; `session` is the key of the signed-in user. */
type Slot = 'pending' | 'session'
export interface Keys {
  session(): Promise<ProofKey | undefined>
  /** Returns the key for the next sign-in; creates one if necessary. */
  pending(): Promise<ProofKey>
  adopt(key: ProofKey, sessionId: string): Promise<void>
  /** Records that a token was renewed: other tabs may read this before they read the new token. */
  renewed(key: ProofKey, expiresAt: number): Promise<void>
  /** @param only the key to forget; that of a later sign-in stays */
  forget(only?: ProofKey): Promise<void>
  /** See `AccountApi.sessionValue`. */
  value(name: string, next: (now: unknown) => unknown): Promise<unknown>
}

async function generate(): Promise<ProofKey> {
  const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign', 'verify'])
  const { x = '', y = '' } = await crypto.subtle.exportKey('jwk', pair.publicKey)
  return { privateKey: pair.privateKey, jwk: { kty: 'EC', crv: 'P-256', x, y } }
}

function isKey(value: unknown): value is ProofKey {
  return typeof value === 'object' && value !== null && 'privateKey' in value && 'jwk' in value
}

function isSame(a: ProofKey, b: ProofKey) {
  return a.jwk.x === b.jwk.x && a.jwk.y === b.jwk.y
}

type Change = (now: ProofKey | undefined) => ProofKey | undefined

/** @param onError receives why keys cannot be stored */
export function createKeys(environmentId: string, onError: (error: unknown) => void): Keys {
  /** Keys that could not be stored; they take precedence over stored ones. */
  const memory = new Map<Slot, ProofKey>()
  /** Replaces a row with the result of `next`: undefined removes the row, the same key keeps it. */
  const change = async (slot: Slot, next: Change): Promise<ProofKey | undefined> => {
    try {
      if (!memory.has(slot)) return await changeStored(slot, next)
    } catch (error) {
      onError(error)
    }
    const key = next(memory.get(slot))
    if (key) memory.set(slot, key)
    else memory.delete(slot)
    return key
  }
  /** Runs in one transaction, so that two tabs agree. */
  const changeStored = async (slot: Slot, next: Change): Promise<ProofKey | undefined> => {
    let key: ProofKey | undefined
    await inStore<unknown>(`keybay:${environmentId}`, 'keys', store => {
      const request = store.get(slot)
      request.onsuccess = () => {
        const now = isKey(request.result) ? request.result : undefined
        key = next(now)
        if (key === now) return
        if (key) store.put(key, slot)
        else store.delete(slot)
      }
      return request
    })
    return key
  }
  return {
    session: () => change('session', now => now),
    async pending() {
      // Created first, because a transaction does not wait for promises.
      const created = await generate()
      return (await change('pending', now => now ?? created)) ?? created
    },
    async adopt(key, sessionId) {
      await change('session', () => ({ ...key, sessionId }))
      await change('pending', now => (now && isSame(now, key) ? undefined : now))
    },
    async renewed(key, expiresAt) {
      await change('session', now => (now && isSame(now, key) ? { ...now, renewed: expiresAt } : now))
    },
    async forget(only) {
      await change('session', now => (now && only && !isSame(now, only) ? now : undefined))
    },
    async value(name, next) {
      const key = await change('session', now => {
        const value = now?.values?.[name]
        const changed = now && next(value)
        return now && changed !== value ? { ...now, values: { ...now.values, [name]: changed } } : now
      })
      return key?.values?.[name]
    },
  }
}
