/**
 * Pending flows in IndexedDB. The return page looks up who waits for the response, and a page that was left finds what it needs
 * to continue, after a reload or in another tab.
 */
import type { Answer } from './answer.js'
import type { SocialMode } from './api.js'

export interface FlowRecord {
  readonly provider: string
  readonly flowId: string
  /** `popup`: a page waits for its window. `redirect`: the page was left. */
  readonly mode: SocialMode
  readonly home: string
  /** Key of the flow's secrets (`secrets.ts`). */
  readonly key: CryptoKey
  /** ms since epoch, by this device's clock */
  readonly startedAt: number
  readonly answer?: Answer | undefined
}

const NAME = 'keybay:social'
const STORE = 'flows'
/** Age after which a record is deleted; every provider's response has expired by then. */
const MAX_AGE_MS = 3_600_000

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1)
    request.onupgradeneeded = () => request.result.createObjectStore(STORE)
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
    request.onblocked = () => reject(new Error('blocked'))
  })
}
/** Runs one transaction. @param act passes its result to `finish` */
async function run<T>(act: (store: IDBObjectStore, finish: (value: T) => void) => void): Promise<T | undefined> {
  const database = await open()
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction(STORE, 'readwrite')
      let result: T | undefined
      act(transaction.objectStore(STORE), value => {
        result = value
      })
      transaction.oncomplete = () => resolve(result)
      transaction.onerror = () => reject(transaction.error)
      transaction.onabort = () => reject(transaction.error)
    })
  } finally {
    database.close()
  }
}

function isRecord(value: unknown): value is FlowRecord {
  return typeof value === 'object' && value !== null && 'flowId' in value && 'key' in value && 'mode' in value
}
/** @param id the hash of the flow's state @throws DOMException if the browser stores nothing */
export async function saveRecord(id: string, record: FlowRecord): Promise<void> {
  await run(store => store.put(record, id))
}
/** Deletes old records. @param now ms since epoch, by this device's clock */
export async function sweepRecords(now: number): Promise<void> {
  await run(store => {
    const rows = store.openCursor()
    rows.onsuccess = () => {
      const row = rows.result
      if (!row) return
      if (!isRecord(row.value) || Math.abs(now - row.value.startedAt) > MAX_AGE_MS) row.delete()
      row.continue()
    }
  })
}
/** @param options `remove` deletes the record: a response is used once */
export function readRecord(
  id: string,
  { remove = false }: { readonly remove?: boolean } = {},
): Promise<FlowRecord | undefined> {
  return run<FlowRecord>((store, finish) => {
    const row: IDBRequest<unknown> = store.get(id)
    row.onsuccess = () => {
      if (isRecord(row.result)) finish(row.result)
      if (remove) store.delete(id)
    }
  })
}
/** Returns whether a page was left for this provider: then a response without a record is not the awaited one. */
export function isAway(provider: string): Promise<boolean | undefined> {
  return run<boolean>((store, finish) => {
    const rows: IDBRequest<unknown[]> = store.getAll()
    rows.onsuccess = () =>
      finish(rows.result.some(row => isRecord(row) && row.provider === provider && row.mode === 'redirect'))
  })
}
