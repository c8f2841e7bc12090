/** The visible frame, in which the user reads, enters and agrees. */
import type { Logger } from '@keybay/kernel'
import { type Clock, IFRAME_LOAD_TIMEOUT_MS, KeybayError, tokenExchangeFailed, userRejected } from '@keybay/kernel/spec'
import type { WaasMessages } from '../protocol/messages.js'
import { openPlace } from '../protocol/place.js'
import { waasProtocol } from '../protocol/schemas.js'
import { createSender } from '../protocol/sender.js'
import type { Sender } from '../protocol/spec.js'
import { joinSignals } from './abort.js'
import { waasError } from './errors.js'
import { loadFrame } from './load.js'
import type { FrameParameters } from './parameters.js'

export interface VisibleOptions {
  readonly parameters: FrameParameters
  readonly clock: Clock
  readonly logger: Logger
  readonly authToken: () => Promise<string>
  /** Default: our own dialog. */
  readonly container?: Element | undefined
  readonly signal: AbortSignal
}
export interface VisibleFrame {
  readonly sender: Sender<WaasMessages>
  /** Aborts with the caller's signal, and when the user closes the dialog. */
  readonly signal: AbortSignal
  /** Lets the next window open on top while a function of the app runs, because the function may need one. */
  stepAside(running: Promise<void>): void
  /** Shows the frame as high as its content, in CSS pixels, as far as the container and the viewport allow. */
  fit(height: number): void
  close(): void
}

/** Opens the visible frame. @throws KeybayError as `loadFrame`; `token_exchange_failed`; `user_rejected` */
export async function openVisibleFrame(options: VisibleOptions): Promise<VisibleFrame> {
  const { parameters, clock, logger, authToken, container, signal: callerSignal } = options
  callerSignal.throwIfAborted()
  const dialogControl = new AbortController()
  const signal = joinSignals(callerSignal, dialogControl.signal)
  const place = openPlace(container, () => dialogControl.abort(waasError(userRejected)))
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
    return { sender, signal, stepAside: place.stepAside, fit: height => place.fit(element, height), close }
  } catch (error) {
    close()
    throw error
  }
}
