/**
 * Nothing secret is at rest in the clear: it is sealed with an AES-GCM key that no script can read, kept in IndexedDB,
 * where every tab of this origin has it. (X25519 in WebCrypto, which would make the exchange's own key such a key, is
 * missing in Chrome before 133, Safari before 17 and Firefox before 130.)
 */

export interface Vault {
  /** @param about what it is for: it opens with the same words only. @throws DOMException where nothing can be kept */
  seal(content: object, about: string): Promise<string>
  /** What was put in, or undefined: another key, other words, or not ours. */
  open(sealed: string, about: string): Promise<unknown>
  /** Whether there is a key: from the moment on at which a first request leaves, in every tab. */
  hasKey(): Promise<boolean>
  /** The key goes, and with it all that it sealed. */
  forget(): Promise<void>
}

const STORE = 'keys'
const AES = 'AES-GCM'
const IV_BYTES = 12

function openDatabase(name: string): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 1)
    request.onupgradeneeded = () => request.result.createObjectStore(STORE)
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
    request.onblocked = () => reject(new Error('blocked'))
  })
}

function isKey(value: unknown): value is CryptoKey {
  return typeof value === 'object' && value !== null && 'algorithm' in value && 'extractable' in value
}

function toText(bytes: Uint8Array) {
  return btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(''))
}

function toBytes(text: string) {
  return Uint8Array.from(atob(text), character => character.charCodeAt(0))
}

/**
 * @param name of the database, e.g. `production:deep-link`
 * @param row whose key it is: each wallet has its own
 */
export function createVault(name: string, row: string): Vault {
  /** In one transaction, so that two tabs agree. @param made put in if there is none */
  const run = async (mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest): Promise<unknown> => {
    const database = await openDatabase(`keybay:${name}`)
    try {
      return await new Promise((resolve, reject) => {
        const transaction = database.transaction(STORE, mode)
        const request = act(transaction.objectStore(STORE))
        transaction.oncomplete = () => resolve(request.result)
        transaction.onerror = () => reject(transaction.error)
        transaction.onabort = () => reject(transaction.error)
      })
    } finally {
      database.close()
    }
  }
  const find = async () => {
    const found = await run('readonly', store => store.get(row))
    return isKey(found) ? found : undefined
  }
  const make = async () => {
    // Made first: a transaction does not wait for a promise.
    const made = await crypto.subtle.generateKey({ name: AES, length: 256 }, false, ['encrypt', 'decrypt'])
    // `add` fails where another tab was first; then that one's key counts.
    await run('readwrite', store => store.add(made, row)).catch(() => {})
    const key = await find()
    if (!key) throw new Error('not kept')
    return key
  }
  const withWords = (iv: Uint8Array<ArrayBuffer>, about: string) => ({
    name: AES,
    iv,
    additionalData: new TextEncoder().encode(`${row} ${about}`),
  })
  return {
    async seal(content, about) {
      const key = (await find()) ?? (await make())
      const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
      const bytes = new TextEncoder().encode(JSON.stringify(content))
      const sealed = new Uint8Array(await crypto.subtle.encrypt(withWords(iv, about), key, bytes))
      return `${toText(iv)}.${toText(sealed)}`
    },
    async open(sealed, about) {
      try {
        const [iv = '', data = ''] = sealed.split('.')
        const key = await find()
        const bytes = key && (await crypto.subtle.decrypt(withWords(toBytes(iv), about), key, toBytes(data)))
        return bytes && JSON.parse(new TextDecoder().decode(bytes))
      } catch {
        return undefined
      }
    },
    hasKey: () =>
      find().then(
        key => key !== undefined,
        () => false,
      ),
    async forget() {
      // What cannot be reached holds no key of ours.
      await run('readwrite', store => store.delete(row)).catch(() => {})
    },
  }
}
