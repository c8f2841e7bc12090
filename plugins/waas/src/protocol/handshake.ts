/** Gives page and frame a shared port: `ready` and a port go to exact origins, and each end repeats the other's nonce. */
import { type Clock, iframeLoadTimeout, KeybayError, toKeybayError, tokenExchangeFailed } from '@keybay/kernel/spec'
import { frameRefused } from './errors.js'
import { equalText, randomText } from './random.js'

const READY = 'keybay:waas:ready'
const PORT = 'keybay:waas:port'
const HELLO = 'keybay:waas:hello'

interface Greeting {
  readonly type: string
  readonly instanceId: string
  /** Random nonce of each load. Repeating it proves that the sender received it. */
  readonly exchange: string
}
/** `hidden` performs operations; `visible` also shows them and asks the user. */
export type FrameView = 'hidden' | 'visible'

function isGreeting(data: unknown, type: string, instanceId: string): data is Greeting {
  return (
    typeof data === 'object' &&
    data !== null &&
    Reflect.get(data, 'type') === type &&
    Reflect.get(data, 'instanceId') === instanceId &&
    typeof Reflect.get(data, 'exchange') === 'string'
  )
}

/** Returns true for a web page's origin as a browser writes it. `null` (sandboxed, file, data) names no page. */
export function isExactOrigin(origin: string): boolean {
  try {
    const url = new URL(origin)
    return /^https?:$/.test(url.protocol) && url.origin === origin
  } catch {
    return false
  }
}

export interface PortFromFrame {
  readonly port: MessagePort
  /** The frame's nonce; `sendAuthToken` returns it. */
  readonly exchange: string
}
export interface ConnectOptions {
  readonly page: Window
  /** Called for each message: a frame has no window before it is in the page. */
  readonly frame: () => Window | null
  readonly frameOrigin: string
  readonly instanceId: string
  readonly view: FrameView
  readonly signal: AbortSignal
}
/** Connects from the page. @throws `token_exchange_failed` if the other end is not the frame; the abort's reason */
export function connectToFrame({
  page,
  frame,
  frameOrigin,
  instanceId,
  view,
  signal,
}: ConnectOptions): Promise<PortFromFrame> {
  return new Promise((resolve, reject) => {
    let port: MessagePort | undefined
    const control = new AbortController()
    const fail = (error: unknown) => {
      control.abort()
      port?.close()
      reject(toKeybayError(error))
    }
    const onMessage = ({ source, origin, data }: MessageEvent<unknown>) => {
      const other = frame()
      // Ignores a second `ready`: a frame that reloaded by itself is another document.
      if (port || !other || source !== other || origin !== frameOrigin || !isGreeting(data, READY, instanceId)) return
      const { exchange: otherNonce } = data
      const ownNonce = randomText()
      const { port1, port2 } = new MessageChannel()
      port = port1
      port1.onmessage = ({ data: answer }: { readonly data: unknown }) => {
        if (!isGreeting(answer, HELLO, instanceId) || !equalText(answer.exchange, ownNonce))
          return fail(new KeybayError(tokenExchangeFailed))
        control.abort()
        port1.onmessage = null
        resolve({ port: port1, exchange: otherNonce })
      }
      other.postMessage({ type: PORT, instanceId, exchange: ownNonce, view }, frameOrigin, [port2])
    }
    page.addEventListener('message', onMessage, { signal: control.signal })
    signal.addEventListener('abort', () => fail(signal.reason), { signal: control.signal })
    if (signal.aborted) fail(signal.reason)
  })
}

export interface PortFromPage {
  readonly port: MessagePort
  /** The page's claim. The frame checks its own visibility before it asks the user. */
  readonly view: FrameView
  /** For the handler of `sendAuthToken`, before it takes the token. @throws KeybayError `token_exchange_failed` */
  checkExchange(given: string): void
  /** Stops listening for further ports, which are refused anyway. */
  close(): void
}
export interface AcceptOptions {
  readonly self: Window
  /** From the frame's URL; only compared. */
  readonly hostOrigin: string
  readonly instanceId: string
  /** Origins that may embed this environment, from the frame host's configuration. */
  readonly allowedOrigins: readonly string[]
  readonly clock: Clock
  /** How long to wait for the page, in ms. */
  readonly timeout: number
}
/** Accepts one port in the frame. @throws `frame_refused` without an allowed embedder; `iframe_load_timeout` */
export async function acceptFromPage({
  self,
  hostOrigin,
  instanceId,
  allowedOrigins,
  clock,
  timeout,
}: AcceptOptions): Promise<PortFromPage> {
  const { parent } = self
  if (parent === self || !isExactOrigin(hostOrigin) || !allowedOrigins.includes(hostOrigin))
    throw new KeybayError(frameRefused, { detail: 'hostOrigin' })
  const ownNonce = randomText()
  const control = new AbortController()
  return new Promise((resolve, reject) => {
    let isTaken = false
    const stop = clock.after(timeout, () => {
      control.abort()
      reject(new KeybayError(iframeLoadTimeout))
    })
    const onMessage = ({ source, origin, data, ports }: MessageEvent<unknown>) => {
      const [port] = ports
      const isFromPage = source === parent && origin === hostOrigin && ports.length === 1
      if (!port || isTaken || !isFromPage || !isGreeting(data, PORT, instanceId)) {
        for (const refused of ports) refused.close()
        return
      }
      isTaken = true
      stop()
      port.postMessage({ type: HELLO, instanceId, exchange: data.exchange })
      resolve({
        port,
        view: Reflect.get(data, 'view') === 'visible' ? 'visible' : 'hidden',
        checkExchange(receivedNonce) {
          if (!equalText(receivedNonce, ownNonce)) throw new KeybayError(tokenExchangeFailed)
        },
        close: () => control.abort(),
      })
    }
    self.addEventListener('message', onMessage, { signal: control.signal })
    parent.postMessage({ type: READY, instanceId, exchange: ownNonce }, hostOrigin)
  })
}
