/** Wraps IndexedDB in promises. A change resolves only once it is on disk. */
import type { KeybayError } from '@keybay/kernel/spec'
import { frameError } from '../errors/errors.js'

export type Mode = 'readonly' | 'readwrite'
export interface Database {
  /**
   * Runs one transaction. Resolves with the result of `act` once the transaction is complete.
   * @throws KeybayError `frame_storage_unavailable` if the transaction fails; then nothing has changed
   */
  run<T>(mode: Mode, act: (stores: Stores) => IDBRequest<T>): Promise<T>
  close(): void
}
export interface Stores {
  /** user → wrapping key. */
  readonly keys: IDBObjectStore
  /** user → key that signs this frame's requests to the product API. */
  readonly apiKeys: IDBObjectStore
  /** [user, setId] → a kept set. */
  readonly sets: IDBObjectStore
  /** [user, address] → latest data of the wallet from the relay. Public. */
  readonly wallets: IDBObjectStore
  /** [user, setId] → consecutive wrong passwords. */
  readonly attempts: IDBObjectStore
  /** [user, walletId] → account that gets the wallet's backups. */
  readonly accounts: IDBObjectStore
  /** [user, setId] → policy that the user agreed to in this browser. */
  readonly agreements: IDBObjectStore
  /** [user, account, network, address] → time in ms since epoch of the account's first transfer there. Public. */
  readonly recipients: IDBObjectStore
  /** user → phrase that the window shows to prove itself, and whether it has. */
  readonly phrases: IDBObjectStore
}

const NAME = 'keybay-waas'
const NAMES = [
  'keys',
  'apiKeys',
  'sets',
  'wallets',
  'attempts',
  'accounts',
  'agreements',
  'recipients',
  'phrases',
] as const
/** Version of the schema. 2 added `attempts`, 3 `accounts`, 4 `agreements`, 5 `apiKeys`, 6 `recipients` and `phrases`. */
const VERSION = 6

function unavailable(cause: unknown): KeybayError {
  return frameError('frame_storage_unavailable', { cause })
}

function open(environmentId: string): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    // If storage is blocked, reading `indexedDB` or calling it throws synchronously.
    const request = indexedDB.open(`${NAME}:${environmentId}`, VERSION)
    request.onupgradeneeded = () => {
      const { result } = request
      for (const name of NAMES) if (!result.objectStoreNames.contains(name)) result.createObjectStore(name)
    }
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
    request.onblocked = () => reject(new Error('blocked by an older page'))
  })
}

/** Opens the database at first use, and again after the browser closed it. */
export function openDatabase(environmentId: string): Database {
  let opening: Promise<IDBDatabase> | undefined
  const forget = () => {
    opening = undefined
  }
  const connect = (): Promise<IDBDatabase> => {
    opening ??= open(environmentId).then(database => {
      database.onclose = forget
      // Close the database, so that another tab can delete or upgrade it.
      database.onversionchange = () => {
        database.close()
        forget()
      }
      return database
    })
    opening.catch(forget)
    return opening
  }

  return {
    async run(mode, act) {
      try {
        const database = await connect()
        return await new Promise((resolve, reject) => {
          const transaction = database.transaction(NAMES, mode, { durability: 'strict' })
          const request = act({
            keys: transaction.objectStore('keys'),
            apiKeys: transaction.objectStore('apiKeys'),
            sets: transaction.objectStore('sets'),
            wallets: transaction.objectStore('wallets'),
            attempts: transaction.objectStore('attempts'),
            accounts: transaction.objectStore('accounts'),
            agreements: transaction.objectStore('agreements'),
            recipients: transaction.objectStore('recipients'),
            phrases: transaction.objectStore('phrases'),
          })
          transaction.oncomplete = () => resolve(request.result)
          transaction.onabort = () => reject(transaction.error)
          transaction.onerror = () => reject(transaction.error)
        })
      } catch (cause) {
        throw unavailable(cause)
      }
    },
    close() {
      opening?.then(
        database => database.close(),
        () => undefined,
      )
      forget()
    },
  }
}
