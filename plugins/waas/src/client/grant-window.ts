/** The provider's window, in which the user grants access to their drive. The grant never goes through this page. */
import {
  type Clock,
  type KeybayError,
  POPUP_CLOSED_CHECK_MS,
  POPUP_HEIGHT_PX,
  POPUP_WIDTH_PX,
  toKeybayError,
  userRejected,
} from '@keybay/kernel/spec'
import { joinSignals } from './abort.js'
import { waasError } from './errors.js'

/** @returns null if the browser blocked the window */
export type OpenGrant = (url: string) => Window | null
export interface GrantOptions {
  readonly clock: Clock
  readonly open?: OpenGrant | undefined
  readonly signal?: AbortSignal | undefined
}

const openPopup: OpenGrant = url =>
  window.open(url, 'keybay-grant', `popup,width=${POPUP_WIDTH_PX},height=${POPUP_HEIGHT_PX}`)

/** For browsers that open windows only on a click. */
function showOpenDialog(url: string, open: () => void, cancel: () => void): () => void {
  const dialog = document.createElement('dialog')
  dialog.setAttribute('aria-label', 'Open the provider’s window')
  dialog.style.cssText = 'border:0;border-radius:12px;padding:24px;width:min(380px,100vw)'
  const text = document.createElement('p')
  text.textContent = `Your browser blocked the window of ${new URL(url).hostname}. Open it to choose where your backup goes.`
  const createButton = (label: string, onClick: () => void) => {
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = label
    button.addEventListener('click', onClick)
    return button
  }
  dialog.append(text, createButton('Open the window', open), ' ', createButton('Cancel', cancel))
  dialog.addEventListener('cancel', event => {
    event.preventDefault()
    cancel()
  })
  document.body.append(dialog)
  dialog.showModal()
  return () => {
    dialog.close()
    dialog.remove()
  }
}

/** Opens the window and watches it. @returns a function that closes it */
function watch(url: string, { clock, open = openPopup }: GrantOptions, abort: (reason: KeybayError) => void) {
  if (!/^https?:$/.test(new URL(url).protocol)) return () => {}
  let closeDialog = () => {}
  let stop = () => {}
  let popup: Window | null = null
  const cancel = () => abort(waasError(userRejected))
  const check = (wasClosed: boolean): void => {
    const isClosed = popup?.closed ?? false
    // Checked twice: a window that has granted access closes itself a moment before the frame reports it.
    if (isClosed && wasClosed) cancel()
    else stop = clock.after(POPUP_CLOSED_CHECK_MS, () => check(isClosed))
  }
  /** @returns true unless the browser blocked the window */
  const tryToOpen = (): boolean => {
    try {
      popup = open(url)
    } catch (error) {
      // The app's function threw. No caller handles the error here, so it ends the operation.
      abort(toKeybayError(error))
      return true
    }
    if (popup) check(false)
    return popup !== null
  }
  if (!tryToOpen())
    closeDialog = showOpenDialog(
      url,
      () => {
        if (tryToOpen()) closeDialog()
      },
      cancel,
    )
  return () => {
    stop()
    closeDialog()
    popup?.close()
  }
}

/** Runs `use` with a function that shows the window of a URL, or closes it. @throws KeybayError `user_rejected`, … */
export async function withGrantWindow<T>(
  options: GrantOptions,
  use: (signal: AbortSignal, show: (url: string | undefined) => void) => Promise<T>,
): Promise<T> {
  const control = new AbortController()
  let close = () => {}
  const show = (url: string | undefined) => {
    close()
    close = url === undefined ? () => {} : watch(url, options, reason => control.abort(reason))
  }
  try {
    return await use(joinSignals(options.signal, control.signal), show)
  } finally {
    close()
  }
}
