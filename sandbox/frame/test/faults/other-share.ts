/** Replaces a wallet's share in force with another one: an older share, or a pending one. */
import type { Page } from 'playwright-core'
import { getFrame } from '../world.js'

type Act = 'remember' | 'use old' | 'use pending' | 'back'

/** Changes what the hidden frame stores. @returns false if the share does not exist */
async function onDisk(page: Page, setId: string, act: Act): Promise<boolean> {
  return (await getFrame(page, 'hidden')).evaluate(
    async ([setId, act]) => {
      const done = <T>(request: IDBRequest<T>): Promise<T> =>
        new Promise((resolve, reject) => {
          request.onsuccess = () => resolve(request.result)
          request.onerror = () => reject(request.error)
        })
      const opening = indexedDB.open('keybay-test', 1)
      opening.onupgradeneeded = () => opening.result.createObjectStore('kept')
      const [testDatabase, frames] = await Promise.all([done(opening), done(indexedDB.open('keybay-waas:local'))])
      const keptStore = () => testDatabase.transaction('kept', 'readwrite').objectStore('kept')
      const sets = () => frames.transaction('sets', 'readwrite').objectStore('sets')
      try {
        const all: readonly object[] = await done(sets().getAll())
        const current = all.find(set => Reflect.get(set, 'setId') === setId)
        const put = (set: object) => done(sets().put(set, [Reflect.get(set, 'user'), setId]))
        // Without `aside`: the frame would rightly sign with a share in force that it keeps aside.
        const putAlone = (set: object) => put({ ...set, aside: undefined })
        if (act === 'back') {
          await put(await done(keptStore().get(`${setId} now`)))
          return true
        }
        if (!current) return false
        if (act === 'remember') {
          await done(keptStore().put(current, `${setId} old`))
          return true
        }
        await done(keptStore().put(current, `${setId} now`))
        const pending: unknown = Reflect.get(current, 'pending')
        if (act === 'use pending' && pending === undefined) return false
        const old: object | undefined = await done(keptStore().get(`${setId} old`))
        if (act === 'use old') {
          if (!old) return false
          await putAlone(old)
        } else await putAlone({ ...current, share: Reflect.get(Object(pending), 'share'), pending: undefined })
        return true
      } finally {
        testDatabase.close()
        frames.close()
      }
    },
    [setId, act] as const,
  )
}

/** Remembers the share in force, for `withShare` with `old` later. */
export function remember(page: Page, setId: string): Promise<boolean> {
  return onDisk(page, setId, 'remember')
}

/** Runs `act` with another share in place of the one in force. @returns undefined if that share does not exist */
export async function withShare<T>(
  page: Page,
  setId: string,
  which: 'old' | 'pending',
  act: () => Promise<T>,
): Promise<T | undefined> {
  if (!(await onDisk(page, setId, `use ${which}`))) return undefined
  try {
    return await act()
  } finally {
    await onDisk(page, setId, 'back')
  }
}

/** Clears the frame's shares, as if this browser had never had the wallet. */
export async function forgetShares(page: Page): Promise<void> {
  return (await getFrame(page, 'hidden')).evaluate(async () => {
    const opening = indexedDB.open('keybay-waas:local')
    const database = await new Promise<IDBDatabase>(resolve => {
      opening.onsuccess = () => resolve(opening.result)
    })
    const transaction = database.transaction('sets', 'readwrite')
    transaction.objectStore('sets').clear()
    await new Promise(resolve => {
      transaction.oncomplete = resolve
    })
    database.close()
  })
}
