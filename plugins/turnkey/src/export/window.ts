/**
 * Page side of the custody window, a cross-origin frame that shows what the user signs. For an export it creates the key that
 * custody encrypts for, decrypts the bundle, and shows it. Loads with the first signature or export.
 */
import {
  configInvalid,
  field,
  hostsOf,
  IFRAME_LOAD_TIMEOUT_MS,
  iframeLoadFailed,
  iframeLoadTimeout,
  missingHost,
  recordInvalid,
  userRejected,
} from '@keybay/kernel/spec'
import { connectToFrame, isExactOrigin, openPlace } from '@keybay/waas/protocol'
import { exportBundleInvalid, turnkeyError } from '../errors.js'
import type { Tools } from '../tools.js'
import { type Begin, exportPath, isFit, isOver, isTarget, type Sealed, signPath, type ToSign } from './messages.js'

export interface CustodyWindow {
  readonly frameHost: string
  /** Default: a dialog of our own. */
  readonly container?: Element | undefined
  readonly signal?: AbortSignal | undefined
  /** Content that the user is asked to sign. Absent for an export. */
  readonly sign?: ToSign | undefined
  /** Requests that custody encrypt the exported key for the window. */
  readonly seal?: ((targetPublicKey: string) => Promise<Omit<Sealed, 'type'>>) | undefined
}

function createElement(src: string): HTMLIFrameElement {
  const element = document.createElement('iframe')
  element.src = src
  element.allow = 'clipboard-write'
  element.setAttribute('sandbox', 'allow-scripts allow-same-origin')
  element.title = 'wallet storage'
  // The frame ignores clicks while part of it is off screen, so it must fit the screen.
  element.style.cssText = 'border:0;width:100%;height:100%;max-height:100dvh;display:block'
  return element
}
/**
 * Returns `options.frameHost`, or the host of the product API's stage (S2.3).
 * @throws KeybayError `config_invalid` naming the missing option; `record_invalid` if it is not an origin
 */
export function getFrameHost({ kernel: { config }, options }: Tools): string {
  const { baseApiUrl = '' } = config
  const { frameHost = URL.canParse(baseApiUrl) ? hostsOf(baseApiUrl, options.hosts).frameHost : '' } = options
  if (frameHost === undefined)
    throw turnkeyError(configInvalid, { detail: missingHost('turnkey', baseApiUrl, 'frameHost') })
  if (!isExactOrigin(frameHost)) throw turnkeyError(recordInvalid, { detail: 'TurnkeyOptions.frameHost' })
  return frameHost
}
/** Returns the access token, from the API for a session in cookies. Without one, the window names no account. */
async function getToken({ kernel, account }: Pick<Tools, 'kernel' | 'account'>): Promise<string | undefined> {
  try {
    if (!kernel.config.cookieStorage) return await kernel.session.bearer()
    const token = field(await account.request('/auth/frame-token', { method: 'POST' }), 'accessToken')
    return typeof token === 'string' ? token : undefined
  } catch {
    return undefined
  }
}
/**
 * Resolves when the user agrees to the signature, or closes the window of an export. Always removes the window.
 * @throws KeybayError `iframe_load_failed`, `iframe_load_timeout`; `export_bundle_invalid`; the errors of `seal`;
 *   `user_rejected` if the user declines or closes the dialog before; `aborted`
 */
export async function showInWindow(
  { kernel, account }: Tools,
  { frameHost, container, signal, sign, seal }: CustodyWindow,
): Promise<void> {
  signal?.throwIfAborted()
  const instanceId = crypto.randomUUID()
  const query = new URLSearchParams({ instanceId, hostOrigin: location.origin })
  const path = (sign ? signPath : exportPath)(kernel.config.environmentId)
  const element = createElement(`${frameHost}${path}?${query}`)
  const controller = new AbortController()
  const abort = () => controller.abort(signal?.reason)
  signal?.addEventListener('abort', abort)
  element.addEventListener('error', () => controller.abort(turnkeyError(iframeLoadFailed)))
  const cancelTimeout = kernel.clock.after(IFRAME_LOAD_TIMEOUT_MS, () =>
    controller.abort(turnkeyError(iframeLoadTimeout)),
  )
  const place = openPlace(container, () => controller.abort(turnkeyError(userRejected)))
  let close = () => {}
  try {
    const connecting = connectToFrame({
      page: window,
      frame: () => element.contentWindow,
      frameOrigin: frameHost,
      instanceId,
      view: 'visible',
      signal: controller.signal,
    })
    place.container.append(element)
    const { port, exchange } = await connecting
    const token = await getToken({ kernel, account })
    place.showFrame()
    cancelTimeout()
    close = () => port.close()
    await new Promise<void>((resolve, reject) => {
      controller.signal.addEventListener('abort', () => reject(controller.signal.reason))
      port.onmessage = ({ data }: MessageEvent<unknown>) => {
        if (isTarget(data))
          seal?.(data.targetPublicKey).then(
            sealed => port.postMessage({ type: 'sealed', ...sealed } satisfies Sealed),
            reject,
          )
        else if (isFit(data)) place.fit(element, data.height)
        else if (isOver(data)) data.opened ? resolve() : reject(turnkeyError(sign ? userRejected : exportBundleInvalid))
      }
      port.postMessage({ type: 'begin', exchange, token, sign } satisfies Begin)
    })
  } finally {
    cancelTimeout()
    signal?.removeEventListener('abort', abort)
    close()
    element.remove()
    place.close()
  }
}
