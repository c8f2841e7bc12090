/** Connects the page and the content script through `postMessage` in the page's own window, as real extensions do. */
import type { Visible } from '../core/wallet.js'

export interface Channel {
  ask(method: string, params: unknown): Promise<unknown>
  /** Calls the listener when what this page may see has changed. */
  subscribe(listener: (visible: Visible) => void): void
}
/** Marks messages in both directions; `to` distinguishes them. */
export const MARK = 'keybay-sandbox-extension'
export interface Posted {
  readonly mark: typeof MARK
  readonly to: 'page' | 'wallet'
  readonly id?: string
  readonly method?: string
  readonly params?: unknown
  readonly result?: unknown
  readonly error?: { readonly code?: number; readonly message: string }
  readonly visible?: Visible
}

export function isPosted(value: unknown, to: Posted['to']): value is Posted {
  return Reflect.get(Object(value), 'mark') === MARK && Reflect.get(Object(value), 'to') === to
}

export function openChannel(): Channel {
  const waiting = new Map<string, { resolve(result: unknown): void; reject(error: Error): void }>()
  const listeners = new Set<(visible: Visible) => void>()
  addEventListener('message', ({ data, source }) => {
    if (source !== window || !isPosted(data, 'page')) return
    if (data.visible) for (const listener of listeners) listener(data.visible)
    const pendingRequest = waiting.get(data.id ?? '')
    if (!pendingRequest) return
    waiting.delete(data.id ?? '')
    if (data.error) pendingRequest.reject(Object.assign(new Error(data.error.message), { code: data.error.code }))
    else pendingRequest.resolve(data.result)
  })
  return {
    ask: (method, params) =>
      new Promise((resolve, reject) => {
        const id = crypto.randomUUID()
        waiting.set(id, { resolve, reject })
        const posted: Posted = { mark: MARK, to: 'wallet', id, method, params }
        window.postMessage(posted, location.origin)
      }),
    subscribe: listener => void listeners.add(listener),
  }
}
