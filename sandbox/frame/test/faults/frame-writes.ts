/**
 * Reports each write of a share to the frame's disk to the test, and stops the frame at a write that the test names.
 */
import type { Page } from 'playwright-core'
import { getFrame } from '../world.js'
import type { Moment } from './service.js'

/** Names of writes that have begun on a page, e.g. `put pending`. */
type Writes = string[]
const written = new WeakMap<Page, Writes>()
const stopped = new WeakMap<Page, () => void>()

export function getWrites(page: Page): Writes {
  return written.get(page) ?? []
}

/** Storage key of the test's order for a frame of the page; both frames share this storage. */
const ORDER = 'keybay-test-order'

/** Call once for each page, before the page is opened. */
export async function watchWrites(page: Page): Promise<void> {
  const writes: Writes = []
  written.set(page, writes)
  await page.exposeFunction('tellWrite', (name: string) => {
    if (name === 'stopped') stopped.get(page)?.()
    else writes.push(name)
  })
  await page.addInitScript(order => {
    const tell: (name: string) => void = name => Reflect.get(window, 'tellWrite')(name)
    /** Names a write by the state of its share. */
    const getName = (value: unknown): string => {
      const field = (name: string): unknown => Reflect.get(Object(value), name)
      if (field('creation')) return 'a share that is not made yet'
      const pending = field('pending')
      if (!pending) return 'the share in force'
      return Reflect.get(Object(pending), 'backup') ? 'that the new share is backed up' : 'the new share, pending'
    }
    const meant = (name: string): string | undefined => {
      const [expectedName, moment] = (localStorage.getItem(order) ?? '').split('|')
      if (expectedName !== name) return undefined
      localStorage.removeItem(order)
      return moment
    }
    const { put } = IDBObjectStore.prototype
    IDBObjectStore.prototype.put = function (value, key) {
      // Ignore the frame's probe that storage works.
      if (this.name !== 'sets' || value === true) return put.call(this, value, key)
      const name = getName(value)
      tell(name)
      const moment = meant(name)
      if (moment === undefined) return put.call(this, value, key)
      // The frame stops here, because it never gets the completion event, however early or late it listens.
      this.transaction.oncomplete = null
      Object.defineProperty(this.transaction, 'oncomplete', { set() {} })
      this.transaction.addEventListener('complete', () => tell('stopped'))
      const request: IDBRequest = moment === 'done' ? put.call(this, value, key) : this.getKey(key ?? '')
      return request
    }
  }, ORDER)
}

/** @param then when a frame has come there and stands still: before the write, or after it */
export async function stopAtWrite(page: Page, name: string, moment: Moment, then: () => void): Promise<void> {
  stopped.set(page, then)
  await keepOrder(page, `${name}|${moment}`)
}

export async function forgetStop(page: Page): Promise<void> {
  stopped.delete(page)
  await keepOrder(page, '')
}

async function keepOrder(page: Page, text: string): Promise<void> {
  const frame = await getFrame(page, 'hidden')
  await frame.evaluate(([key, text]) => localStorage.setItem(key, text), [ORDER, text] as const)
}
