/**
 * The export window, as the page sees it: a frame of another origin in an element of the page. It makes the key that custody
 * seals to, opens what comes, and shows it to the user. Loads with the first export.
 */
import {
  hostsOf,
  IFRAME_LOAD_TIMEOUT_MS,
  iframeLoadFailed,
  iframeLoadTimeout,
  missingHost,
  recordInvalid,
} from '@keybay/kernel/spec'
import { connectToFrame, isExactOrigin } from '@keybay/waas/protocol'
import { exportBundleInvalid } from '../errors.js'
import type { Tools } from '../tools.js'
import { type Begin, exportPath, isOver, isTarget, type Sealed } from './messages.js'

export interface ExportWindow {
  readonly frameHost: string
  readonly container: Element
  readonly signal: AbortSignal | undefined
  /** Has custody seal the key to the window. */
  readonly seal: (targetPublicKey: string) => Promise<Omit<Sealed, 'type'>>
}

function createElement(src: string): HTMLIFrameElement {
  const element = document.createElement('iframe')
  element.src = src
  element.allow = 'clipboard-write'
  element.setAttribute('sandbox', 'allow-scripts allow-same-origin')
  element.title = 'wallet storage'
  // No click counts in it while a part of it is off the page's screen: a higher one could never be seen whole.
  element.style.cssText = 'border:0;width:100%;height:100%;max-height:100dvh;display:block'
  return element
}

/**
 * Returns `options.frameHost`, or the host of the product API's stage (S2.3).
 *
 * @throws KeybayError `config_invalid` naming the option that is missing; `record_invalid` when it is no origin
 */
export function frameHostOf({ kernel: { config }, options, errors, fault }: Tools): string {
  const { baseApiUrl = '' } = config
  const { frameHost = URL.canParse(baseApiUrl) ? hostsOf(baseApiUrl, options.hosts).frameHost : '' } = options
  const [, , , , , configInvalid] = errors
  if (frameHost === undefined) throw fault(configInvalid, { detail: missingHost('turnkey', baseApiUrl, 'frameHost') })
  if (!isExactOrigin(frameHost)) throw fault(recordInvalid, { detail: 'TurnkeyOptions.frameHost' })
  return frameHost
}

/**
 * Resolves when the user is done. The window is taken away however it ends.
 *
 * @throws KeybayError `iframe_load_failed`, `iframe_load_timeout`; `export_bundle_invalid`; what `seal` throws; `aborted`
 */
export async function showInWindow(
  { kernel, fault }: Tools,
  { frameHost, container, signal, seal }: ExportWindow,
): Promise<void> {
  signal?.throwIfAborted()
  const instanceId = crypto.randomUUID()
  const query = new URLSearchParams({ instanceId, hostOrigin: location.origin })
  const element = createElement(`${frameHost}${exportPath(kernel.config.environmentId)}?${query}`)
  const control = new AbortController()
  const leave = () => control.abort(signal?.reason)
  signal?.addEventListener('abort', leave)
  element.addEventListener('error', () => control.abort(fault(iframeLoadFailed)))
  const stop = kernel.clock.after(IFRAME_LOAD_TIMEOUT_MS, () => control.abort(fault(iframeLoadTimeout)))
  let end = () => {}
  try {
    const connecting = connectToFrame({
      page: window,
      frame: () => element.contentWindow,
      frameOrigin: frameHost,
      instanceId,
      view: 'visible',
      signal: control.signal,
    })
    container.append(element)
    const { port, exchange } = await connecting
    stop()
    end = () => port.close()
    await new Promise<void>((resolve, reject) => {
      control.signal.addEventListener('abort', () => reject(control.signal.reason))
      port.onmessage = ({ data }: MessageEvent<unknown>) => {
        if (isTarget(data))
          seal(data.targetPublicKey).then(
            sealed => port.postMessage({ type: 'sealed', ...sealed } satisfies Sealed),
            reject,
          )
        else if (isOver(data)) data.opened ? resolve() : reject(fault(exportBundleInvalid))
      }
      port.postMessage({ type: 'begin', exchange } satisfies Begin)
    })
  } finally {
    stop()
    signal?.removeEventListener('abort', leave)
    end()
    element.remove()
  }
}
