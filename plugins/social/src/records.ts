/**
 * Pending flows in IndexedDB. The return page looks up who waits for the response, and a page that was left finds what it needs
 * to continue, after a reload or in another tab.
 */
import { inStore } from '@keybay/kernel/spec'
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

/** Age after which a record is deleted; every provider's response has expired by then. */
const MAX_AGE_MS = 3_600_000

function run<T>(act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  return inStore('keybay:social', 'flows', act)
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
    return rows
  })
}
/** @param options `remove` deletes the record: a response is used once */
export async function readRecord(
  id: string,
  { remove = false }: { readonly remove?: boolean } = {},
): Promise<FlowRecord | undefined> {
  const record = await run<unknown>(store => {
    const row = store.get(id)
    if (remove) store.delete(id)
    return row
  })
  return isRecord(record) ? record : undefined
}
/** Returns whether a page was left for this provider: then a response without a record is not the awaited one. */
export async function isAway(provider: string): Promise<boolean> {
  const rows = await run<unknown[]>(store => store.getAll())
  return rows.some(row => isRecord(row) && row.provider === provider && row.mode === 'redirect')
}
