/**
 * Encrypts secrets at rest with an AES-GCM key that no script can read, stored in IndexedDB for all tabs of this origin.
 * (WebCrypto's X25519, which could protect the exchange's own key like this, is missing in Chrome before 133, Safari before 17
 * and Firefox before 130.)
 */
import { field, fromBase64, toBase64, utf8 } from '@keybay/kernel/spec'

export interface Vault {
  /** @param about the purpose: the secret opens with the same text only. @throws DOMException where storage is blocked */
  seal(content: object, about: string): Promise<string>
  /** Returns the content, or undefined for another key, another purpose or an unknown text. */
  open(sealed: string, about: string): Promise<unknown>
  /** True from the first request on, in every tab. */
  hasKey(): Promise<boolean>
  /** Deletes the key, and with it everything it sealed. */
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
    request.onblocked = () => reject(new Error('IndexedDB is blocked by another tab'))
  })
}

function isKey(value: unknown): value is CryptoKey {
  return field(value, 'algorithm') !== undefined && field(value, 'extractable') !== undefined
}
/** @param name of the database, e.g. `production:deep-link` @param row of the key: each wallet has its own */
export function createVault(name: string, row: string): Vault {
  /** Runs one request in a transaction of its own. */
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
    const key = await run('readonly', store => store.get(row))
    return isKey(key) ? key : undefined
  }
  const make = async () => {
    // Before the transaction, which does not wait for a promise.
    const candidate = await crypto.subtle.generateKey({ name: AES, length: 256 }, false, ['encrypt', 'decrypt'])
    // `add` fails if another tab was first; then that tab's key counts.
    await run('readwrite', store => store.add(candidate, row)).catch(() => {})
    const key = await find()
    if (!key) throw new Error('IndexedDB did not store the key')
    return key
  }
  const parameters = (iv: Uint8Array<ArrayBuffer>, about: string) => ({
    name: AES,
    iv,
    additionalData: utf8(`${row} ${about}`),
  })
  return {
    async seal(content, about) {
      const key = (await find()) ?? (await make())
      const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
      const bytes = utf8(JSON.stringify(content))
      const sealed = new Uint8Array(await crypto.subtle.encrypt(parameters(iv, about), key, bytes))
      return `${toBase64(iv)}.${toBase64(sealed)}`
    },
    async open(sealed, about) {
      try {
        const [iv = '', data = ''] = sealed.split('.')
        const key = await find()
        const bytes = key && (await crypto.subtle.decrypt(parameters(fromBase64(iv), about), key, fromBase64(data)))
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
      // A database that cannot be opened holds no key.
      await run('readwrite', store => store.delete(row)).catch(() => {})
    },
  }
}
