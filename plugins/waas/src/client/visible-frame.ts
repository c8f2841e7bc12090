/** The visible frame: for what the user has to see, to enter, or to agree to. In the caller's container or our own dialog. */
import type { Clock, KeybayError, Logger } from '@keybay/kernel'
import { IFRAME_LOAD_TIMEOUT_MS, tokenExchangeFailed } from '@keybay/kernel/spec'
import { fault } from '../protocol/fault.js'
import type { WaasMessages } from '../protocol/messages.js'
import { waasProtocol } from '../protocol/schemas.js'
import { createSender } from '../protocol/sender.js'
import type { Sender } from '../protocol/spec.js'
import { loadFrame } from './load.js'
import type { FrameParameters } from './parameters.js'

export interface VisibleOptions {
  readonly parameters: FrameParameters
  readonly clock: Clock
  readonly logger: Logger
  readonly authToken: () => Promise<string>
  /** What the user gets who closes the dialog. */
  readonly rejected: () => KeybayError
  /** Default: a dialog of our own, in the middle of the page. */
  readonly container?: Element | undefined
  readonly signal?: AbortSignal | undefined
}

function openDialog(onClose: () => void): { readonly container: Element; opened(): void; close(): void } {
  const dialog = document.createElement('dialog')
  dialog.setAttribute('aria-label', 'Wallet')
  dialog.style.cssText =
    'padding:0;border:0;border-radius:12px;width:min(420px,100vw);height:min(640px,100dvh);overflow:hidden'
  dialog.addEventListener('cancel', event => {
    event.preventDefault()
    onClose()
  })
  // Until the frame is there, which has a button of its own to leave by.
  const cover = document.createElement('div')
  cover.style.cssText = 'position:absolute;inset:0;height:fit-content;margin:auto;text-align:center'
  const note = document.createElement('p')
  note.setAttribute('role', 'status')
  note.textContent = 'Opening the wallet'
  const cancel = document.createElement('button')
  cancel.type = 'button'
  cancel.style.cssText = 'min-height:44px;padding:0 16px;font:inherit'
  cancel.textContent = 'Cancel'
  cancel.addEventListener('click', onClose)
  cover.append(note, cancel)
  dialog.append(cover)
  document.body.append(dialog)
  dialog.showModal()
  return {
    container: dialog,
    opened: () => cover.remove(),
    close() {
      dialog.close() // gives the focus back
      dialog.remove()
    },
  }
}

/**
 * Opens it, lets `use` talk to it, and takes it away however that ends.
 *
 * @throws KeybayError as `loadFrame`; what `use` throws; `user_rejected` when the user closes the dialog
 */
export async function withVisibleFrame<T>(
  { parameters, clock, logger, authToken, rejected, container, signal }: VisibleOptions,
  use: (sender: Sender<WaasMessages>, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted()
  const control = new AbortController()
  const leave = () => control.abort(signal?.reason)
  signal?.addEventListener('abort', leave)
  const place = container ? { container, opened() {}, close() {} } : openDialog(() => control.abort(rejected()))
  let end = () => {}
  try {
    const token = await authToken()
    const { element, port, exchange } = await loadFrame({
      parameters,
      view: 'visible',
      container: place.container,
      clock,
      timeout: IFRAME_LOAD_TIMEOUT_MS,
      signal: control.signal,
      onFailedTry: error => logger.warn('waas visible frame', error),
    })
    place.opened()
    const sender = createSender(waasProtocol, port, { clock })
    end = () => {
      sender.close()
      element.remove()
    }
    const greeting = { chainName: 'SOL', authToken: token, exchange } as const
    await sender.send('sendAuthToken', greeting, { signal: control.signal }).catch(cause => {
      throw control.signal.aborted ? cause : fault(tokenExchangeFailed, { cause })
    })
    return await use(sender, control.signal)
  } finally {
    signal?.removeEventListener('abort', leave)
    end()
    place.close()
  }
}
