/** A page in Node's realm, because the API in this process needs Node's URL. Its fetch sends origin and cookies. */
import 'fake-indexeddb/auto'
import { Window } from 'happy-dom'
import { nodeFetch, APP as PAGE } from '../client.js'

export { nodeFetch, PAGE }

export const cookies: Map<string, { readonly value: string; readonly path: string }> = new Map()

export interface Sent {
  readonly method: string
  readonly url: string
  readonly headers: Headers
  readonly body: string | undefined
  readonly signal: AbortSignal | undefined
}
export const network: {
  down: boolean
  sent: Sent[]
  /** Responds instead of the server; undefined passes the request on. */
  answer: ((sent: Sent) => Response | undefined | Promise<Response | undefined>) | undefined
} = { down: false, sent: [], answer: undefined }

const pageFetch: typeof fetch = async (input, init = {}) => {
  const url = new URL(String(input))
  const headers = new Headers(init.headers)
  const body = init.body === undefined || init.body === null ? undefined : String(init.body)
  const sent: Sent = { method: init.method ?? 'GET', url: url.href, headers, body, signal: init.signal ?? undefined }
  network.sent.push(sent)
  if (network.down) throw new TypeError('fetch failed')
  const instead = await network.answer?.(sent)
  if (instead) return instead
  headers.set('origin', PAGE)
  if (init.credentials === 'include') {
    const sent = [...cookies].filter(([, { path }]) => url.pathname.startsWith(path))
    if (sent.length) headers.set('cookie', sent.map(([name, { value }]) => `${name}=${value}`).join('; '))
  }
  const response = await nodeFetch(url, { ...init, headers })
  for (const line of init.credentials === 'include' ? response.headers.getSetCookie() : []) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    cookies.set(name, { value, path: /path=([^;]*)/i.exec(line)?.[1] ?? '/' })
    if (/max-age=0/i.test(line)) cookies.delete(name)
  }
  return response
}

const dom = new Window({ url: `${PAGE}/wallet?private=1` })
const { document, location, navigator, localStorage, HTMLElement, HTMLIFrameElement, Node, Event } = dom
const globals = {
  window: dom,
  document,
  location,
  navigator,
  localStorage,
  HTMLElement,
  HTMLIFrameElement,
  Node,
  Event,
}
for (const [name, value] of Object.entries(globals))
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
Object.assign(globalThis, {
  addEventListener: dom.addEventListener.bind(dom),
  removeEventListener: dom.removeEventListener.bind(dom),
})
globalThis.fetch = pageFetch
