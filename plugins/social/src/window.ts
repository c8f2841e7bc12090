/** From the window that is at the provider to its answer (S4.13), or to what went wrong. */
import type { Clock, KeybayError } from '@keybay/kernel'
import {
  oauthOriginMismatch,
  oauthWindowClosed,
  oauthWindowTimeout,
  POPUP_CLOSED_CHECK_MS,
  userCancelled,
} from '@keybay/kernel/spec'
import { type Answer, isAnswer } from './answer.js'
import { channelOf, HEARD } from './channel.js'
import type { Fail } from './faults.js'

export interface Waiting {
  readonly popup: Window
  readonly provider: string
  readonly flowId: string
  /** Of the redirect URL: answers come from there (S5.12). */
  readonly origin: string
  /** ms */
  readonly timeout: number
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly fail: Fail
  /** Ends it from outside. */
  onStop(stop: (reason: KeybayError) => void): void
}
/** @throws KeybayError `user_cancelled`, `oauth_window_closed`, `oauth_window_timeout`, `oauth_origin_mismatch`, `aborted` */
export function awaitAnswer({
  popup,
  provider,
  flowId,
  origin,
  timeout,
  clock,
  signal,
  fail,
  onStop,
}: Waiting): Promise<Answer> {
  return new Promise<Answer>((resolve, reject) => {
    const channel = new BroadcastChannel(channelOf(flowId))
    /** It looked closed while the user was not looking at this page. */
    let severed = false
    let cameBack = false
    const end = () => {
      disarm()
      disarmCheck()
      removeEventListener('message', hear)
      signal.removeEventListener('abort', leave)
      channel.close()
      popup.close()
    }
    const stop = (reason: unknown) => {
      end()
      reject(reason)
    }
    const take = (data: unknown) => {
      if (!isAnswer(data) || data.provider !== provider) return
      channel.postMessage(HEARD)
      end()
      resolve(data)
    }
    const hear = ({ origin: from, source, data }: MessageEvent<unknown>) => {
      if (from === origin) take(data)
      // Anybody may send messages to a page; only what our own window says ends this.
      else if (source === popup && isAnswer(data)) stop(fail(oauthOriginMismatch))
    }
    const leave = () => stop(signal.reason)
    /**
     * A page that the provider cut off from us (`Cross-Origin-Opener-Policy`) looks closed, too. But while it is there the user
     * looks at it, not at us; and a window that a user closes gives the focus back.
     */
    const check = () => {
      if (popup.closed && !document.hasFocus()) severed = true
      else if (popup.closed && !severed) return stop(fail(userCancelled))
      else if (popup.closed && cameBack) return stop(fail(oauthWindowClosed))
      else cameBack = popup.closed // its answer may be on its way
      disarmCheck = clock.after(POPUP_CLOSED_CHECK_MS, check)
    }
    let disarmCheck = clock.after(POPUP_CLOSED_CHECK_MS, check)
    const disarm = clock.after(timeout, () => stop(fail(oauthWindowTimeout)))
    addEventListener('message', hear)
    channel.onmessage = ({ data }: MessageEvent<unknown>) => take(data)
    signal.addEventListener('abort', leave)
    onStop(stop)
    if (signal.aborted) leave()
  })
}
