/** Shares one websocket between all subscriptions of a network: opens with the first, closes with the last (S9.10). */
import type { Clock } from '@keybay/kernel'
import {
  CHAIN_TRANSPORT_TIMEOUT_MS,
  WEBSOCKET_RECONNECT_DELAY_MS,
  WEBSOCKET_RECONNECTS_MOST,
} from '@keybay/kernel/spec'
import { at, parseExact } from './read.js'

export interface Subscription {
  /** Method to subscribe, e.g. `accountSubscribe`; `accountUnsubscribe` ends it. */
  readonly method: `${string}Subscribe`
  readonly params: readonly unknown[]
  onValue(result: unknown): void
  /** Reports if the subscription now delivers values; poll while it does not. */
  onLive(live: boolean): void
}
export interface Socket {
  /** Subscribes, also after each reconnect. Returns a function that unsubscribes. */
  subscribe(subscription: Subscription): () => void
  /** Opens the websocket before the first subscription. Returns a function that lets it close. */
  hold(): () => void
}
/** Returns a Solana node's default websocket URL: the next port for plain http with a port, else the same host. */
export function webSocketUrl(rpcUrl: string): string {
  const url = new URL(rpcUrl)
  if (url.protocol === 'http:' && url.port) url.port = String(Number(url.port) + 1)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  return url.href
}
/** Undefined for an invalid message; occasional polling covers the loss. */
function parseMessage(data: unknown): unknown {
  try {
    return parseExact(String(data))
  } catch {
    return undefined
  }
}
/** Undefined without WebSocket (Node 20), or if the page's policy blocks it: retrying would not help. */
function tryOpen(url: string): WebSocket | undefined {
  try {
    return new WebSocket(url)
  } catch {
    return undefined
  }
}
function send(socket: WebSocket | undefined, id: number, method: string, params: readonly unknown[]): void {
  if (socket?.readyState === 1) socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
}
/** @param urls the next one after each loss */
export function createSocket(urls: readonly string[], clock: Clock): Socket {
  /** Maps our ID to its subscription; the IDs are also the request IDs. */
  const subscriptions = new Map<number, Subscription>()
  /** Maps the node's ID to ours; a string, because some nodes use all 64 bits. */
  const granted = new Map<string, number>()
  let socket: WebSocket | undefined
  let cancelTimer = () => {}
  let failures = 0
  let losses = 0
  let lastId = 0
  let holds = 0

  const onMessage = (data: unknown) => {
    const message = parseMessage(data)
    const id = Number(at(message, 'id'))
    const grant = at(message, 'result')
    const requested = subscriptions.get(id)
    if (requested && (typeof grant === 'number' || typeof grant === 'string')) {
      failures = 0
      granted.set(String(grant), id)
      requested.onLive(true)
      return
    }
    const ours = granted.get(String(at(message, 'params', 'subscription')))
    if (ours !== undefined) subscriptions.get(ours)?.onValue(at(message, 'params', 'result'))
  }
  const lose = (lost: WebSocket | undefined) => {
    if (lost !== socket) return
    socket = undefined
    losses += 1
    cancelTimer()
    granted.clear()
    for (const subscription of [...subscriptions.values()]) subscription.onLive(false)
    if (!subscriptions.size || failures >= WEBSOCKET_RECONNECTS_MOST) return
    failures += 1
    cancelTimer = clock.after(WEBSOCKET_RECONNECT_DELAY_MS, open)
  }
  const open = () => {
    cancelTimer()
    const opened = tryOpen(urls[losses % urls.length] ?? '')
    if (!opened) {
      failures = WEBSOCKET_RECONNECTS_MOST
      for (const subscription of [...subscriptions.values()]) subscription.onLive(false)
      return
    }
    socket = opened
    cancelTimer = clock.after(CHAIN_TRANSPORT_TIMEOUT_MS, () => {
      lose(opened)
      opened.close()
    })
    opened.onopen = () => {
      if (opened !== socket) return
      cancelTimer()
      for (const [id, { method, params }] of subscriptions) send(socket, id, method, params)
    }
    opened.onmessage = ({ data }) => {
      if (opened === socket) onMessage(data)
    }
    opened.onerror = () => {} // A close event always follows.
    opened.onclose = () => lose(opened)
  }
  const closeUnused = () => {
    if (subscriptions.size || holds) return
    cancelTimer()
    const over = socket
    socket = undefined
    over?.close()
  }
  return {
    hold() {
      holds += 1
      if (!socket && !subscriptions.size) open()
      return () => {
        holds -= 1
        closeUnused()
      }
    },
    subscribe(subscription) {
      lastId += 1
      const id = lastId
      const first = subscriptions.size === 0
      subscriptions.set(id, subscription)
      // A new subscriber restarts connecting after the retries ran out.
      if (!socket && (first || failures >= WEBSOCKET_RECONNECTS_MOST)) {
        failures = 0
        open()
      } else send(socket, id, subscription.method, subscription.params)
      return () => {
        if (!subscriptions.delete(id)) return
        for (const [nodeId, ours] of granted)
          if (ours === id) {
            granted.delete(nodeId)
            lastId += 1
            send(socket, lastId, subscription.method.replace('Subscribe', 'Unsubscribe'), [Number(nodeId)])
          }
        closeUnused()
      }
    },
  }
}
