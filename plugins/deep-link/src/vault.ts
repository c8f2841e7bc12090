/**
 * Encrypts secrets at rest with an AES-GCM key that no script can read, stored in IndexedDB for all tabs of this origin.
 * (WebCrypto's X25519, which could protect the exchange's own key like this, is missing in Chrome before 133, Safari before 17
 * and Firefox before 130.)
 */
import { field, fromBase64, inStore, toBase64, utf8 } from '@keybay/kernel/spec'

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

const AES = 'AES-GCM'
const IV_BYTES = 12

function isKey(value: unknown): value is CryptoKey {
  return field(value, 'algorithm') !== undefined && field(value, 'extractable') !== undefined
}
/** @param name of the database, e.g. `production:deep-link` @param row of the key: each wallet has its own */
export function createVault(name: string, row: string): Vault {
  const run = <T>(act: (store: IDBObjectStore) => IDBRequest<T>) => inStore(`keybay:${name}`, 'keys', act)
  const find = async () => {
    const key = await run<unknown>(store => store.get(row))
    return isKey(key) ? key : undefined
  }
  const make = async () => {
    // Before the transaction, which does not wait for a promise.
    const candidate = await crypto.subtle.generateKey({ name: AES, length: 256 }, false, ['encrypt', 'decrypt'])
    // `add` fails if another tab was first; then that tab's key counts.
    await run(store => store.add(candidate, row)).catch(() => {})
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
      await run(store => store.delete(row)).catch(() => {})
    },
  }
}
