/** Records what pages and frames send, receive and store. */
import type { Frame, Page } from 'playwright-core'

export interface Overheard {
  /** Returns what the page has received and sent so far, as text. */
  text(): Promise<string>
  /** Bodies of the frames' own requests for a second factor. */
  readonly factors: readonly string[]
}

/** Records what page and frames send from now on, as text: addresses, headers and bodies. */
export function everythingSent(page: Page): readonly string[] {
  const sent: string[] = []
  page.on('request', request => sent.push(request.url(), JSON.stringify(request.headers()), request.postData() ?? ''))
  return sent
}
/** Returns a text in every form in which it may be sent. */
export function getForms(text: string): readonly string[] {
  return [
    text,
    encodeURIComponent(text),
    ...(['base64', 'base64url', 'hex'] as const).map(form => Buffer.from(text).toString(form).replace(/=+$/, '')),
  ]
}

/** Starts to record, for frames that connect from now on. */
export async function overhear(page: Page): Promise<Overheard> {
  await page.evaluate(() => {
    const said: unknown[] = []
    Object.assign(window, { said })
    const { addEventListener } = MessagePort.prototype
    const { set } = Object.getOwnPropertyDescriptor(MessagePort.prototype, 'onmessage') ?? {}
    const hear = (event: Event) => said.push(Reflect.get(event, 'data'))
    window.addEventListener('message', hear)
    Object.defineProperty(MessagePort.prototype, 'onmessage', {
      set(handler) {
        addEventListener.call(this, 'message', hear)
        set?.call(this, handler)
      },
    })
  })
  const factors: string[] = []
  const sent: string[] = []
  page.on('request', request => {
    const body = request.postData() ?? ''
    if (request.frame() === page.mainFrame()) sent.push(request.url() + body)
    else if (new URL(request.url()).pathname.includes('/mfa/frame')) factors.push(body)
  })
  const bigIntsAsText = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
  return {
    factors,
    async text() {
      const said: unknown = await page.evaluate(() => Reflect.get(window, 'said'))
      return JSON.stringify([said, sent], bigIntsAsText)
    },
  }
}

/** Returns everything that a document's origin stores, as one list of texts: bytes as hex, and text as it is. */
export function everythingStored(place: Frame): Promise<readonly string[]> {
  return place.evaluate(async () => {
    const texts = [JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage }), document.cookie]
    const walk = (value: unknown): void => {
      if (value instanceof ArrayBuffer) walk(new Uint8Array(value))
      else if (value instanceof Uint8Array)
        texts.push(Array.from(value, byte => byte.toString(16).padStart(2, '0')).join(''))
      else if (typeof value === 'string') texts.push(value)
      else if (typeof value === 'object' && value !== null && !(value instanceof CryptoKey))
        for (const part of Object.values(value)) walk(part)
    }
    for (const { name = '', version } of await indexedDB.databases()) {
      const database: IDBDatabase = await new Promise((resolve, reject) => {
        const opening = indexedDB.open(name, version)
        opening.onsuccess = () => resolve(opening.result)
        opening.onerror = () => reject(opening.error)
      })
      for (const store of [...database.objectStoreNames]) {
        const all: unknown[] = await new Promise(resolve => {
          const reading = database.transaction(store).objectStore(store).getAll()
          reading.onsuccess = () => resolve(reading.result)
        })
        walk(all)
      }
      database.close()
    }
    for (const name of await caches.keys()) texts.push(name)
    return texts
  })
}
