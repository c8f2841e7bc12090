/** Waits for the response of the provider's window (S4.13). */
import {
  type Clock,
  type KeybayError,
  oauthOriginMismatch,
  oauthWindowClosed,
  oauthWindowTimeout,
  POPUP_CLOSED_CHECK_MS,
  userCancelled,
} from '@keybay/kernel/spec'
import { type Answer, isAnswer } from './answer.js'
import { openChannel, RECEIVED } from './channel.js'
import type { Fail } from './fail.js'

interface WindowFlow {
  readonly popup: Window
  readonly provider: string
  readonly flowId: string
  /** Origin of the redirect URL; responses come from it (S5.12). */
  readonly origin: string
  /** in ms */
  readonly timeout: number
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly fail: Fail
  /** Gets a function that ends the wait. */
  onStop(stop: (reason: KeybayError) => void): void
}
/** @throws KeybayError `user_cancelled`, `oauth_window_closed`, `oauth_window_timeout`, `oauth_origin_mismatch`, `aborted` */
export function awaitAnswer(flow: WindowFlow): Promise<Answer> {
  const { popup, provider, clock, signal, fail } = flow
  return new Promise<Answer>((resolve, reject) => {
    const channel = openChannel(flow.flowId)
    /** The window looked closed while this page did not have the focus. */
    let severed = false
    /** It looked closed at the last check; the response may be on its way. */
    let lookedClosed = false
    const end = () => {
      disarm()
      disarmCheck()
      removeEventListener('message', onMessage)
      signal.removeEventListener('abort', onAbort)
      channel.close()
      popup.close()
    }
    const stop = (reason: unknown) => {
      end()
      reject(reason)
    }
    const take = (data: unknown) => {
      if (!isAnswer(data) || data.provider !== provider) return
      channel.postMessage(RECEIVED)
      end()
      resolve(data)
    }
    const onMessage = ({ origin: from, source, data }: MessageEvent<unknown>) => {
      if (from === flow.origin) take(data)
      // Any page can send a message; only the flow's own window ends the wait.
      else if (source === popup && isAnswer(data)) stop(fail(oauthOriginMismatch))
    }
    const onAbort = () => stop(signal.reason)
    /**
     * A window that the provider's page cut off (`Cross-Origin-Opener-Policy`) looks closed, too. But while it is open it has the
     * focus, and a window that the user closes returns the focus to this page.
     */
    const check = () => {
      if (popup.closed && !document.hasFocus()) severed = true
      else if (popup.closed && !severed) return stop(fail(userCancelled))
      else if (popup.closed && lookedClosed) return stop(fail(oauthWindowClosed))
      else lookedClosed = popup.closed
      disarmCheck = clock.after(POPUP_CLOSED_CHECK_MS, check)
    }
    let disarmCheck = clock.after(POPUP_CLOSED_CHECK_MS, check)
    const disarm = clock.after(flow.timeout, () => stop(fail(oauthWindowTimeout)))
    addEventListener('message', onMessage)
    channel.onmessage = ({ data }: MessageEvent<unknown>) => take(data)
    signal.addEventListener('abort', onAbort)
    flow.onStop(stop)
    if (signal.aborted) onAbort()
  })
}
