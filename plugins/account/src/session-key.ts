/**
 * The key that a session is bound to: P-256, not extractable, one per sign-in, kept in IndexedDB so that every tab has
 * it; where that is refused, in memory, and the session ends with the page.
 */

/** What an IndexedDB row holds. The private half never leaves the browser. */
export interface ProofKey {
  readonly privateKey: CryptoKey
  readonly jwk: { readonly kty: 'EC'; readonly crv: 'P-256'; readonly x: string; readonly y: string }
  /** Which session it is bound to, once it is. */
  readonly sessionId?: string
  /** When the token that was last renewed with it ended, ms since epoch. */
  readonly renewed?: number
}
/** `pending`: of a sign-in that is under way, kept over a redirect. `session`: of who is signed in. */
type Slot = 'pending' | 'session'
export interface Keys {
  session(): Promise<ProofKey | undefined>
  /** The one that sign-ins begin with; made when there is none. */
  pending(): Promise<ProofKey>
  /** From now on the session's. */
  adopt(key: ProofKey, sessionId: string): Promise<void>
  /** A token that ended then has a successor: other tabs know it at once, and may read the successor later. */
  renewed(key: ProofKey, expiresAt: number): Promise<void>
  /** @param only leaves another one, of a later sign-in, alone */
  forget(only?: ProofKey): Promise<void>
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

const STORE = 'keys'

function open(name: string): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 1)
    request.onupgradeneeded = () => request.result.createObjectStore(STORE)
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
    request.onblocked = () => reject(new Error('blocked'))
  })
}

/** @param onFault hears why keys cannot be stored */
export function createKeys(environmentId: string, onFault: (error: unknown) => void): Keys {
  /** What could not be stored lives here, and shadows what is stored. */
  const memory = new Map<Slot, ProofKey>()
  /** Reads a row and writes what `next` makes of it: undefined removes it, the same leaves it. */
  const change = async (
    slot: Slot,
    next: (now: ProofKey | undefined) => ProofKey | undefined,
  ): Promise<ProofKey | undefined> => {
    try {
      if (!memory.has(slot)) return await changeStored(slot, next)
    } catch (error) {
      onFault(error)
    }
    const key = next(memory.get(slot))
    if (key) memory.set(slot, key)
    else memory.delete(slot)
    return key
  }
  /** In one transaction, so that two tabs agree. */
  const changeStored = async (
    slot: Slot,
    next: (now: ProofKey | undefined) => ProofKey | undefined,
  ): Promise<ProofKey | undefined> => {
    const database = await open(`keybay:${environmentId}`)
    try {
      return await new Promise((resolve, reject) => {
        const transaction = database.transaction(STORE, 'readwrite')
        const store = transaction.objectStore(STORE)
        const request: IDBRequest<unknown> = store.get(slot)
        let key: ProofKey | undefined
        request.onsuccess = () => {
          const now = isKey(request.result) ? request.result : undefined
          key = next(now)
          if (key === now) return
          if (key) store.put(key, slot)
          else store.delete(slot)
        }
        transaction.oncomplete = () => resolve(key)
        transaction.onerror = () => reject(transaction.error)
        transaction.onabort = () => reject(transaction.error)
      })
    } finally {
      database.close()
    }
  }
  return {
    session: () => change('session', now => now),
    async pending() {
      // Made first: a transaction does not wait for a promise.
      const made = await generate()
      return (await change('pending', now => now ?? made)) ?? made
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
  }
}
