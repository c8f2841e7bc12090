/** The visible frame, in which the user reads, enters and agrees. Shown in the app's container or in our own dialog. */
import type { Logger } from '@keybay/kernel'
import { type Clock, IFRAME_LOAD_TIMEOUT_MS, KeybayError, tokenExchangeFailed, userRejected } from '@keybay/kernel/spec'
import type { WaasMessages } from '../protocol/messages.js'
import { waasProtocol } from '../protocol/schemas.js'
import { createSender } from '../protocol/sender.js'
import type { Sender } from '../protocol/spec.js'
import { joinSignals } from './abort.js'
import { waasError } from './errors.js'
import { loadFrame } from './load.js'
import type { FrameParameters } from './parameters.js'
import { fitSheet, styleSheet } from './sheet.js'

export interface VisibleOptions {
  readonly parameters: FrameParameters
  readonly clock: Clock
  readonly logger: Logger
  readonly authToken: () => Promise<string>
  /** Default: our own dialog in the middle of the page. */
  readonly container?: Element | undefined
  readonly signal: AbortSignal
}
export interface VisibleFrame {
  readonly sender: Sender<WaasMessages>
  /** Aborts with the caller's signal, and when the user closes the dialog. */
  readonly signal: AbortSignal
  /** Lets the next window open on top while a function of the app runs, because the function may need one. */
  stepAside(running: Promise<void>): void
  /** Gives our own dialog the height of its content, in CSS pixels, as far as the viewport allows. */
  fit(height: number): void
  close(): void
}

/** Where the frame is shown. */
interface Place {
  readonly container: Element
  /** Removes the note that the wallet is opening. */
  showFrame(): void
  stepAside(running: Promise<void>): void
  fit(height: number): void
  close(): void
}

/** Open dialogs. Only the first is shown: a dialog on top of it would get the click that the user meant for the first. */
const dialogs = new Set<HTMLDialogElement>()

function showFirst(): void {
  const first = [...dialogs].find(({ isConnected }) => isConnected)
  if (first && !first.open) first.showModal()
}

function placeIn(container: Element): Place {
  return { container, showFrame() {}, stepAside() {}, fit() {}, close() {} }
}

function openDialog(onClose: () => void): Place {
  const dialog = document.createElement('dialog')
  dialog.setAttribute('aria-label', 'Wallet')
  styleSheet(dialog)
  dialog.addEventListener('cancel', event => {
    event.preventDefault()
    onClose()
  })
  // Covers the dialog until the frame is loaded: the frame has its own Cancel button.
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
  dialogs.add(dialog)
  showFirst()
  const leave = () => {
    dialogs.delete(dialog)
    showFirst()
  }
  return {
    container: dialog,
    showFrame: () => cover.remove(),
    stepAside(running) {
      if (!dialog.open) return
      leave()
      void running.finally(() => {
        if (dialog.isConnected) dialogs.add(dialog)
        showFirst()
      })
    },
    fit: height => fitSheet(dialog, height),
    close() {
      dialog.close() // returns the focus
      dialog.remove()
      leave()
    },
  }
}

/** Opens the visible frame. @throws KeybayError as `loadFrame`; `token_exchange_failed`; `user_rejected` */
export async function openVisibleFrame(options: VisibleOptions): Promise<VisibleFrame> {
  const { parameters, clock, logger, authToken, container, signal: callerSignal } = options
  callerSignal.throwIfAborted()
  const dialogControl = new AbortController()
  const signal = joinSignals(callerSignal, dialogControl.signal)
  const place = container ? placeIn(container) : openDialog(() => dialogControl.abort(waasError(userRejected)))
  let close = place.close
  try {
    const token = await authToken()
    const { element, port, exchange } = await loadFrame({
      parameters,
      view: 'visible',
      container: place.container,
      clock,
      timeout: IFRAME_LOAD_TIMEOUT_MS,
      signal,
      onFailedTry: error => logger.warn('waas visible frame', error),
    })
    place.showFrame()
    const sender = createSender(waasProtocol, port, { clock })
    close = () => {
      sender.close()
      element.remove()
      place.close()
    }
    const greeting = { chainName: 'SOL', authToken: token, exchange } as const
    await sender.send('sendAuthToken', greeting, { signal }).catch(cause => {
      throw signal.aborted ? cause : new KeybayError(tokenExchangeFailed, { cause })
    })
    return { sender, signal, stepAside: place.stepAside, fit: place.fit, close }
  } catch (error) {
    close()
    throw error
  }
}
