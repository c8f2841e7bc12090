import { hasShape } from './shape.js'

/** What one tab tells the others of the same origin and environment. */
export interface TabMessage {
  readonly type: string
  readonly data?: unknown
}
export interface Tabs {
  /** Reaches the other tabs, never the sender. */
  post(message: TabMessage): void
  on(listener: (message: TabMessage) => void): () => void
}

export const createTabs = (namespace: string): Tabs & { start(): (() => void) | undefined } => {
  const listeners = new Set<(message: TabMessage) => void>()
  let channel: BroadcastChannel | undefined
  return {
    post(message) {
      channel?.postMessage(message)
    },
    on(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    start() {
      if (typeof BroadcastChannel === 'undefined') return undefined
      channel = new BroadcastChannel(`keybay:${namespace}`)
      channel.onmessage = ({ data }: MessageEvent<unknown>) => {
        if (hasShape<TabMessage>(data, { type: 'string' })) for (const listener of listeners) listener(data)
      }
      return () => {
        channel?.close()
        channel = undefined
      }
    },
  }
}
