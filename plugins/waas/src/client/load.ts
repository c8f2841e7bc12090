/** Loads a frame until both ends share a port: on an error or a time-out once more after 1 s, then it has failed (S4.7). */
import type { Clock } from '@keybay/kernel'
import {
  IFRAME_LOAD_RETRIES,
  IFRAME_LOAD_RETRY_DELAY_MS,
  iframeLoadFailed,
  iframeLoadTimeout,
  tokenExchangeFailed,
} from '@keybay/kernel/spec'
import { randomText } from '../protocol/bytes.js'
import { fault, toFault } from '../protocol/fault.js'
import { connectToFrame, type FrameView, type PortFromFrame } from '../protocol/handshake.js'
import { type FrameParameters, frameUrl } from './parameters.js'

export interface LoadOptions {
  readonly parameters: FrameParameters
  readonly view: FrameView
  /** Where the frame goes. */
  readonly container: Element
  readonly clock: Clock
  /** For each try, ms. */
  readonly timeout: number
  readonly signal?: AbortSignal | undefined
  /** Hears of each try that failed. */
  readonly onFailedTry?: ((error: unknown) => void) | undefined
}
export interface LoadedFrame extends PortFromFrame {
  readonly element: HTMLIFrameElement
}

function createElement(view: FrameView, src: string): HTMLIFrameElement {
  const element = document.createElement('iframe')
  element.src = src
  // For the origin of `src` alone.
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
    // No click counts in it while a part of it is off the page's screen: a higher one could never be seen whole.
    element.style.cssText = 'border:0;width:100%;height:100%;max-height:100dvh;display:block'
  }
  return element
}

async function tryOnce(options: LoadOptions): Promise<LoadedFrame> {
  const { parameters, view, container, clock, timeout, signal } = options
  signal?.throwIfAborted()
  const instanceId = randomText()
  const element = createElement(view, frameUrl(parameters, instanceId))
  const control = new AbortController()
  const leave = () => control.abort(signal?.reason)
  const stop = clock.after(timeout, () => control.abort(fault(iframeLoadTimeout)))
  signal?.addEventListener('abort', leave)
  element.addEventListener('error', () => control.abort(fault(iframeLoadFailed)))
  try {
    const connected = connectToFrame({
      page: window,
      frame: () => element.contentWindow,
      frameOrigin: parameters.frameHost,
      instanceId,
      view,
      signal: control.signal,
    })
    container.append(element)
    return { element, ...(await connected) }
  } catch (error) {
    element.remove()
    throw error
  } finally {
    stop()
    signal?.removeEventListener('abort', leave)
  }
}

function pause(clock: Clock, ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      stop()
      reject(signal?.reason)
    }
    const stop = clock.after(ms, () => {
      signal?.removeEventListener('abort', leave)
      resolve()
    })
    signal?.addEventListener('abort', leave)
  })
}

/**
 * @throws KeybayError `iframe_load_failed`, its cause the last try's error (`iframe_load_timeout`, …);
 *   `token_exchange_failed`, which is not tried again; `aborted`
 */
export async function loadFrame(options: LoadOptions): Promise<LoadedFrame> {
  const { clock, signal, onFailedTry } = options
  for (let tries = 0; ; tries++)
    try {
      return await tryOnce(options)
    } catch (cause) {
      if (signal?.aborted) throw toFault(signal.reason)
      onFailedTry?.(cause)
      if (toFault(cause).code === tokenExchangeFailed.code) throw cause
      if (tries === IFRAME_LOAD_RETRIES) throw fault(iframeLoadFailed, { cause })
      await pause(clock, IFRAME_LOAD_RETRY_DELAY_MS, signal).catch(reason => {
        throw toFault(reason)
      })
    }
}
