/** IndexedDB with promises: a change is over when it is on the disk, not before. */
import { KeybayError } from '@keybay/kernel/spec'
import { storageUnavailable } from '../errors/errors.js'

export type Mode = 'readonly' | 'readwrite'
export interface Database {
  /**
   * Runs one transaction. What `act` returns is there once the transaction is complete.
   *
   * @throws KeybayError `frame_storage_unavailable` when nothing could be kept: then nothing has changed
   */
  run<T>(mode: Mode, act: (stores: Stores) => IDBRequest<T>): Promise<T>
  close(): void
}
export interface Stores {
  /** user → its wrapping key. */
  readonly keys: IDBObjectStore
  /** [user, setId] → a kept set. */
  readonly sets: IDBObjectStore
  /** [user, address] → what the relay last said of the wallet. Public. */
  readonly wallets: IDBObjectStore
  /** [user, setId] → wrong passwords in a row. */
  readonly attempts: IDBObjectStore
}

const NAME = 'keybay-waas'
const NAMES = ['keys', 'sets', 'wallets', 'attempts'] as const
/** 2: `attempts`. */
const VERSION = 2

function unavailable(cause: unknown): KeybayError {
  return new KeybayError(storageUnavailable, { cause })
}

function open(environmentId: string): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    // Where storage is blocked, reading the property or calling it throws at once.
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

/** Opens at the first use, again when the browser closed it. */
export function openDatabase(environmentId: string): Database {
  let opening: Promise<IDBDatabase> | undefined
  const forget = () => {
    opening = undefined
  }
  const connect = (): Promise<IDBDatabase> => {
    opening ??= open(environmentId).then(database => {
      database.onclose = forget
      // Another tab deletes or upgrades it: not to stand in the way.
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
            sets: transaction.objectStore('sets'),
            wallets: transaction.objectStore('wallets'),
            attempts: transaction.objectStore('attempts'),
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
