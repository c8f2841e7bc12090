/**
 * The window in which a user gives access to their drive. The frame says where it is and may not open it; what comes back
 * goes from the provider to the frame, and never by this page.
 */
import type { Clock, KeybayError } from '@keybay/kernel'
import { POPUP_CLOSED_CHECK_MS, POPUP_HEIGHT_PX, POPUP_WIDTH_PX } from '@keybay/kernel/spec'
import { toFault } from '../protocol/fault.js'

/** @returns null where the browser did not let it */
export type OpenGrant = (url: string) => Window | null
export interface GrantOptions {
  readonly clock: Clock
  readonly open?: OpenGrant | undefined
  /** What the user gets who closes the window. */
  readonly rejected: () => KeybayError
  readonly signal?: AbortSignal | undefined
}

const openPopup: OpenGrant = url =>
  window.open(url, 'keybay-grant', `popup,width=${POPUP_WIDTH_PX},height=${POPUP_HEIGHT_PX}`)

/** For browsers that let a window be opened by a press alone. */
function askToOpen(url: string, open: () => void, cancel: () => void): () => void {
  const dialog = document.createElement('dialog')
  dialog.setAttribute('aria-label', 'Open the provider’s window')
  dialog.style.cssText = 'border:0;border-radius:12px;padding:24px;width:min(380px,100vw)'
  const text = document.createElement('p')
  text.textContent = `Your browser kept the window of ${new URL(url).hostname} closed. Open it to choose where the backup goes.`
  const button = (label: string, press: () => void) => {
    const made = document.createElement('button')
    made.type = 'button'
    made.textContent = label
    made.addEventListener('click', press)
    return made
  }
  dialog.append(text, button('Open the window', open), ' ', button('Cancel', cancel))
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

/** @returns takes it all away */
function watch(url: string, { clock, open = openPopup, rejected }: GrantOptions, leave: (why: KeybayError) => void) {
  if (!/^https?:$/.test(new URL(url).protocol)) return () => {}
  let closeDialog = () => {}
  let stop = () => {}
  let popup: Window | null = null
  const cancel = () => leave(rejected())
  const look = (wasClosed: boolean): void => {
    const isClosed = popup?.closed ?? false
    // Seen twice: a window that has what the frame waits for closes itself a moment before the frame says so.
    if (isClosed && wasClosed) cancel()
    else stop = clock.after(POPUP_CLOSED_CHECK_MS, () => look(isClosed))
  }
  /** @returns whether there is nothing left to do */
  const tryToOpen = (): boolean => {
    try {
      popup = open(url)
    } catch (error) {
      // A function of the host's: nobody would hear of it here.
      leave(toFault(error))
      return true
    }
    if (popup) look(false)
    return popup !== null
  }
  if (!tryToOpen())
    closeDialog = askToOpen(
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

/**
 * Lets `use` tell of a window to open, and of its end (undefined).
 *
 * @throws KeybayError what `use` throws; `user_rejected` when the user closes the window; what `open` throws
 */
export async function withGrantWindow<T>(
  options: GrantOptions,
  use: (signal: AbortSignal, step: (url: string | undefined) => void) => Promise<T>,
): Promise<T> {
  const { signal } = options
  const control = new AbortController()
  const leave = () => control.abort(signal?.reason)
  if (signal?.aborted) leave()
  signal?.addEventListener('abort', leave)
  let end = () => {}
  const step = (url: string | undefined) => {
    end()
    end = url === undefined ? () => {} : watch(url, options, why => control.abort(why))
  }
  try {
    return await use(control.signal, step)
  } finally {
    end()
    signal?.removeEventListener('abort', leave)
  }
}
