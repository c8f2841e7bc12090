/** Loads a frame until both ends share a port. After an error or a timeout it retries once, 1 s later (S4.7). */
import {
  type Clock,
  IFRAME_LOAD_RETRIES,
  IFRAME_LOAD_RETRY_DELAY_MS,
  iframeLoadFailed,
  iframeLoadTimeout,
  KeybayError,
  toKeybayError,
  tokenExchangeFailed,
} from '@keybay/kernel/spec'
import { connectToFrame, type FrameView, type PortFromFrame } from '../protocol/handshake.js'
import { randomText } from '../protocol/random.js'
import { joinSignals, unlessAborted } from './abort.js'
import { type FrameParameters, frameUrl } from './parameters.js'

export interface LoadOptions {
  readonly parameters: FrameParameters
  readonly view: FrameView
  /** The element that holds the frame. */
  readonly container: Element
  readonly clock: Clock
  /** Time-out of each try, in ms. */
  readonly timeout: number
  readonly signal?: AbortSignal | undefined
  /** Receives the error of each failed try. */
  readonly onFailedTry?: ((error: unknown) => void) | undefined
}
export interface LoadedFrame extends PortFromFrame {
  readonly element: HTMLIFrameElement
}

function createElement(view: FrameView, src: string): HTMLIFrameElement {
  const element = document.createElement('iframe')
  element.src = src
  // Grants only the origin of `src`.
  const passkeys = 'publickey-credentials-get; publickey-credentials-create'
  if (view === 'hidden') {
    element.allow = passkeys
    element.setAttribute('sandbox', 'allow-scripts allow-same-origin allow-downloads')
    element.hidden = true
    element.title = 'wallet'
    element.tabIndex = -1
  } else {
    element.allow = `${passkeys}; clipboard-write`
    element.setAttribute('sandbox', 'allow-scripts allow-same-origin')
    element.title = 'wallet storage'
    // The frame ignores clicks while a part of it is outside the viewport, so it must fit in.
    element.style.cssText = 'border:0;width:100%;height:100%;max-height:100dvh;display:block'
  }
  return element
}

/** @throws KeybayError `iframe_load_failed`, `iframe_load_timeout`, `token_exchange_failed`, `aborted` */
export async function loadFrameOnce(options: LoadOptions): Promise<LoadedFrame> {
  const { parameters, view, container, clock, timeout, signal } = options
  signal?.throwIfAborted()
  const instanceId = randomText()
  const element = createElement(view, frameUrl(parameters, instanceId))
  const control = new AbortController()
  const stopTimer = clock.after(timeout, () => control.abort(new KeybayError(iframeLoadTimeout)))
  element.addEventListener('error', () => control.abort(new KeybayError(iframeLoadFailed)))
  try {
    const connected = connectToFrame({
      page: window,
      frame: () => element.contentWindow,
      frameOrigin: parameters.frameHost,
      instanceId,
      view,
      signal: joinSignals(signal, control.signal),
    })
    container.append(element)
    return { element, ...(await connected) }
  } catch (error) {
    element.remove()
    throw error
  } finally {
    stopTimer()
  }
}

async function pause(clock: Clock, ms: number, signal: AbortSignal | undefined): Promise<void> {
  let stop = () => {}
  const elapsed = new Promise<void>(resolve => {
    stop = clock.after(ms, resolve)
  })
  await unlessAborted(elapsed, joinSignals(signal)).finally(() => stop())
}

/** @throws KeybayError `iframe_load_failed` with the last try's error; `token_exchange_failed` at once; `aborted` */
export async function loadFrame(options: LoadOptions): Promise<LoadedFrame> {
  const { clock, signal, onFailedTry } = options
  for (let tries = 0; ; tries++)
    try {
      return await loadFrameOnce(options)
    } catch (cause) {
      if (signal?.aborted) throw toKeybayError(signal.reason)
      onFailedTry?.(cause)
      if (toKeybayError(cause).code === tokenExchangeFailed.code) throw cause
      if (tries === IFRAME_LOAD_RETRIES) throw new KeybayError(iframeLoadFailed, { cause })
      await pause(clock, IFRAME_LOAD_RETRY_DELAY_MS, signal)
    }
}
