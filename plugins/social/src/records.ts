/**
 * Flows that are under way, in IndexedDB: there the return page finds whom it answers, and a page that was left finds what it
 * needs to go on, after a reload and in another tab as well.
 */

import type { Answer } from './answer.js'
import type { SocialMode } from './api.js'

export interface FlowRecord {
  readonly provider: string
  readonly flowId: string
  /** Where the answer goes: to the page that waits for a window, or to the page that was left. */
  readonly mode: SocialMode
  /** The address that was left. */
  readonly home: string
  /** Of `secrets.ts`. */
  readonly key: CryptoKey
  /** ms since epoch, by this device's clock */
  readonly startedAt: number
  /** What the provider said, once it did. */
  readonly answer?: Answer | undefined
}

const NAME = 'keybay:social'
const STORE = 'flows'
/** After this long no provider's answer is good any more, ms. */
const OLDEST_MS = 3_600_000

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1)
    request.onupgradeneeded = () => request.result.createObjectStore(STORE)
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
    request.onblocked = () => reject(new Error('blocked'))
  })
}
/** All in one transaction. @param act hands what it wants as result to `keep` */
async function run<T>(act: (store: IDBObjectStore, keep: (value: T) => void) => void): Promise<T | undefined> {
  const database = await open()
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction(STORE, 'readwrite')
      let kept: T | undefined
      act(transaction.objectStore(STORE), value => {
        kept = value
      })
      transaction.oncomplete = () => resolve(kept)
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

/** @param id the hash of the flow's state @throws DOMException where nothing can be kept */
export async function saveRecord(id: string, record: FlowRecord): Promise<void> {
  await run(store => store.put(record, id))
}
/** The old ones go. @param now ms since epoch, by this device's clock */
export async function sweepRecords(now: number): Promise<void> {
  await run(store => {
    const rows = store.openCursor()
    rows.onsuccess = () => {
      const row = rows.result
      if (!row) return
      if (!isRecord(row.value) || Math.abs(now - row.value.startedAt) > OLDEST_MS) row.delete()
      row.continue()
    }
  })
}
/** Undefined: nobody here asked. */
export function findRecord(id: string): Promise<FlowRecord | undefined> {
  return run<FlowRecord>((store, keep) => {
    const row: IDBRequest<unknown> = store.get(id)
    row.onsuccess = () => {
      if (isRecord(row.result)) keep(row.result)
    }
  })
}
/** Whether the page was left for this provider: then an answer that finds no record is not the one that is awaited. */
export function isAway(provider: string): Promise<boolean | undefined> {
  return run<boolean>((store, keep) => {
    const rows: IDBRequest<unknown[]> = store.getAll()
    rows.onsuccess = () =>
      keep(rows.result.some(row => isRecord(row) && row.provider === provider && row.mode === 'redirect'))
  })
}
/** An answer serves once: what is read here is gone. */
export function takeRecord(id: string): Promise<FlowRecord | undefined> {
  return run<FlowRecord>((store, keep) => {
    const row: IDBRequest<unknown> = store.get(id)
    row.onsuccess = () => {
      if (isRecord(row.result)) keep(row.result)
      store.delete(id)
    }
  })
}
