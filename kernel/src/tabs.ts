import { createListeners } from './events.js'
import { hasShape } from './spec/shape.js'

/** A message to the other tabs of the same origin and environment. */
export interface TabMessage {
  readonly type: string
  readonly data?: unknown
}
export interface Tabs {
  /** Sends to the other tabs, never to this one. */
  post(message: TabMessage): void
  on(listener: (message: TabMessage) => void): () => void
}

export function createTabs(namespace: string, onThrow: (error: unknown) => void): Tabs & { start(): () => void } {
  const listeners = createListeners<[message: TabMessage]>(onThrow)
  let channel: BroadcastChannel | undefined
  return {
    post(message) {
      channel?.postMessage(message)
    },
    on: listeners.add,
    start() {
      channel = new BroadcastChannel(`keybay:${namespace}`)
      channel.onmessage = ({ data }: MessageEvent<unknown>) => {
        if (hasShape<TabMessage>(data, { type: 'string' })) listeners.emit(data)
      }
      return () => {
        channel?.close()
        channel = undefined
      }
    },
  }
}
