/** Requests to the wallet and events from it, over one message port. */
import { listenerSet } from '@keybay/kernel'
import { field } from '@keybay/kernel/spec'

interface WalletEvent {
  readonly event: string
  readonly data: unknown
}
export interface Channel {
  /** @throws Error with the wallet's own `code`: 4001 if the user refuses */
  request(method: string, params?: object): Promise<unknown>
  /** Returns unsubscribe. */
  onEvent(listener: (event: WalletEvent) => void): () => void
  close(): void
}
interface Waiting {
  resolve(result: unknown): void
  reject(error: Error): void
}

export function createChannel(port: MessagePort): Channel {
  const waiting = new Map<unknown, Waiting>()
  const events = listenerSet<WalletEvent>()
  let count = 0
  port.onmessage = ({ data }: MessageEvent<unknown>) => {
    const event = field(data, 'event')
    if (typeof event === 'string') return events.emit({ event, data: field(data, 'data') })
    const id = field(data, 'id')
    const request = waiting.get(id)
    waiting.delete(id)
    const error = field(data, 'error')
    if (error === undefined) return request?.resolve(field(data, 'result'))
    request?.reject(Object.assign(new Error(String(field(error, 'message'))), { code: field(error, 'code') }))
  }
  return {
    request(method, params = {}) {
      const id = ++count
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject })
        port.postMessage({ id, method, params })
      })
    },
    onEvent: events.add,
    close: () => port.close(),
  }
}
