/** The moments at which a frame writes a share to its disk: told to the test, and where it asks for that, the last of that frame. */
import type { Page } from 'playwright-core'
import { frameOf } from '../world.js'
import type { Moment } from './service.js'

/** Names of writes that were begun on a page, e.g. `put pending`. */
type Writes = string[]
const written = new WeakMap<Page, Writes>()
const stopped = new WeakMap<Page, () => void>()

export function writesOf(page: Page): Writes {
  return written.get(page) ?? []
}

/** Where a frame of the page finds what the test wants: both of its frames have this storage. */
const ORDER = 'keybay-test-order'

/** Once a page, before it is opened. */
export async function watchWrites(page: Page): Promise<void> {
  const writes: Writes = []
  written.set(page, writes)
  await page.exposeFunction('tellWrite', (name: string) => {
    if (name === 'stopped') stopped.get(page)?.()
    else writes.push(name)
  })
  await page.addInitScript(order => {
    const tell: (name: string) => void = name => Reflect.get(window, 'tellWrite')(name)
    /** What is written, by how far the share has come. */
    const nameOf = (value: unknown): string => {
      const field = (name: string): unknown => Reflect.get(Object(value), name)
      if (field('creation')) return 'a share that is not made yet'
      const pending = field('pending')
      if (!pending) return 'the share in force'
      return Reflect.get(Object(pending), 'backup') ? 'that the new share is backed up' : 'the new share, pending'
    }
    const meant = (name: string): string | undefined => {
      const [wanted, moment] = (localStorage.getItem(order) ?? '').split('|')
      if (wanted !== name) return undefined
      localStorage.removeItem(order)
      return moment
    }
    const { put } = IDBObjectStore.prototype
    IDBObjectStore.prototype.put = function (value, key) {
      // The probe of whether anything is kept at all.
      if (this.name !== 'sets' || value === true) return put.call(this, value, key)
      const name = nameOf(value)
      tell(name)
      const moment = meant(name)
      if (moment === undefined) return put.call(this, value, key)
      // The frame never hears that this has ended: it does no more. It may be listening already, or only later.
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
  const frame = await frameOf(page, 'hidden')
  await frame.evaluate(([key, text]) => localStorage.setItem(key, text), [ORDER, text] as const)
}
