/**
 * How page and frame come to share a port. The frame says that it is ready to the exact origin of its page; the page gives
 * it one port, to the frame's exact origin; the frame takes the first from its parent and no other, and answers over it
 * with what came along. So each end knows that the port's other end is the window that the message was addressed to.
 */
import { type Clock, iframeLoadTimeout, KeybayError, toKeybayError, tokenExchangeFailed } from '@keybay/kernel/spec'
import { frameRefused } from './errors.js'
import { equalText, randomText } from './random.js'

const READY = 'keybay:waas:ready'
const PORT = 'keybay:waas:port'
const HELLO = 'keybay:waas:hello'

interface Greeting {
  readonly type: string
  readonly instanceId: string
  /** Random, new with each load: whoever repeats it was there. */
  readonly exchange: string
}
/** `hidden` works; `visible` shows what it is about and asks the user. */
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

/** A web page's origin, exactly as a browser writes it. `null` (sandboxed, file, data) is nobody in particular. */
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
  /** What the frame said; `sendAuthToken` gives it back. */
  readonly exchange: string
}
export interface ConnectOptions {
  readonly page: Window
  /** Asked for each message, since a frame has no window before it is in the page. */
  readonly frame: () => Window | null
  readonly frameOrigin: string
  readonly instanceId: string
  readonly view: FrameView
  readonly signal: AbortSignal
}
/**
 * The page's half: waits for the frame, gives it a port, and waits until it answers over it.
 *
 * @throws KeybayError `token_exchange_failed` when the port's other end is not the frame; the signal's reason
 */
export function connectToFrame({
  page,
  frame,
  frameOrigin,
  instanceId,
  view,
  signal,
}: ConnectOptions): Promise<PortFromFrame> {
  return new Promise((resolve, reject) => {
    let own: MessagePort | undefined
    const over = new AbortController()
    const fail = (error: unknown) => {
      over.abort()
      own?.close()
      reject(toKeybayError(error))
    }
    const hear = ({ source, origin, data }: MessageEvent<unknown>) => {
      const other = frame()
      // A second “ready” of this load finds `own` taken: a frame that loaded anew by itself is not this one any more.
      if (own || !other || source !== other || origin !== frameOrigin || !isGreeting(data, READY, instanceId)) return
      const { exchange: theirs } = data
      const ours = randomText()
      const { port1, port2 } = new MessageChannel()
      own = port1
      port1.onmessage = ({ data: answer }: { readonly data: unknown }) => {
        if (!isGreeting(answer, HELLO, instanceId) || !equalText(answer.exchange, ours))
          return fail(new KeybayError(tokenExchangeFailed))
        over.abort()
        port1.onmessage = null
        resolve({ port: port1, exchange: theirs })
      }
      other.postMessage({ type: PORT, instanceId, exchange: ours, view }, frameOrigin, [port2])
    }
    page.addEventListener('message', hear, { signal: over.signal })
    signal.addEventListener('abort', () => fail(signal.reason), { signal: over.signal })
    if (signal.aborted) fail(signal.reason)
  })
}

export interface PortFromPage {
  readonly port: MessagePort
  /** What the page says that it shows. A claim: before the user is asked, the frame looks whether it can be seen. */
  readonly view: FrameView
  /** @throws KeybayError `token_exchange_failed`: for the handler of `sendAuthToken`, before it takes the token */
  checkExchange(given: string): void
  /** Stops listening for ports that are refused anyway. */
  close(): void
}
export interface AcceptOptions {
  /** The frame's own window. */
  readonly self: Window
  /** Of the address that the frame was loaded by; only compared. */
  readonly hostOrigin: string
  readonly instanceId: string
  /** Of the frame host's configuration: who may embed this environment. */
  readonly allowedOrigins: readonly string[]
  readonly clock: Clock
  /** How long the page may take, ms. */
  readonly timeout: number
}
/**
 * The frame's half: says that it is ready, and takes one port.
 *
 * @throws KeybayError `frame_refused` when it is not embedded, or not by an allowed origin; `iframe_load_timeout`
 */
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
  const ours = randomText()
  const over = new AbortController()
  return new Promise((resolve, reject) => {
    let taken = false
    const stop = clock.after(timeout, () => {
      over.abort()
      reject(new KeybayError(iframeLoadTimeout))
    })
    const hear = ({ source, origin, data, ports }: MessageEvent<unknown>) => {
      const [port] = ports
      const sound = source === parent && origin === hostOrigin && ports.length === 1
      if (!port || taken || !sound || !isGreeting(data, PORT, instanceId)) {
        for (const refused of ports) refused.close()
        return
      }
      taken = true
      stop()
      port.postMessage({ type: HELLO, instanceId, exchange: data.exchange })
      resolve({
        port,
        view: Reflect.get(data, 'view') === 'visible' ? 'visible' : 'hidden',
        checkExchange(given) {
          if (!equalText(given, ours)) throw new KeybayError(tokenExchangeFailed)
        },
        close: () => over.abort(),
      })
    }
    self.addEventListener('message', hear, { signal: over.signal })
    parent.postMessage({ type: READY, instanceId, exchange: ours }, hostOrigin)
  })
}
