/** Keeps the session key over reloads and for all tabs, until the user's session ends. */
import { hasShape } from '@keybay/kernel/spec'
import type { ApiKey } from './api-key.js'
import type { Tools } from './tools.js'

export interface StoredKey extends ApiKey {
  /** User who was signed in when the passkey approved the key. */
  readonly userId: string
  readonly organizationId: string
  /** IDs of the key and its user at the custody service. */
  readonly apiKeyId: string
  readonly custodyUserId: string
  /** ISO 8601 */
  readonly expirationDate: string
}

const NAME = 'turnkey'

function isStoredKey(value: unknown): value is StoredKey {
  return (
    hasShape<StoredKey>(value, {
      publicKey: 'string',
      userId: 'string',
      organizationId: 'string',
      apiKeyId: 'string',
      custodyUserId: 'string',
      expirationDate: 'string',
    }) && value.privateKey instanceof CryptoKey
  )
}

export interface KeyStore {
  get(): Promise<StoredKey | undefined>
  put(key: StoredKey): Promise<void>
  /** @param only public key; a newer key, of another tab, stays */
  remove(only?: string): Promise<StoredKey | undefined>
}

export function createKeyStore({ account, kernel }: Tools): KeyStore {
  const change = async (next: (now: StoredKey | undefined) => StoredKey | undefined) => {
    let previous: StoredKey | undefined
    await account
      .sessionValue(NAME, now => {
        previous = isStoredKey(now) ? now : undefined
        return next(previous)
      })
      .catch((error: unknown) => kernel.logger.debug('turnkey', error))
    return previous
  }
  return {
    get: () => change(now => now),
    async put(key) {
      await change(() => key)
    },
    remove: only => change(now => (only === undefined || now?.publicKey === only ? undefined : now)),
  }
}
