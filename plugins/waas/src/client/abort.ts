/** Abort signals: joining them, and leaving a wait when one aborts. */
import { toKeybayError } from '@keybay/kernel/spec'

/** Returns a signal that aborts with the first of `signals`. */
export function joinSignals(...signals: readonly (AbortSignal | undefined)[]): AbortSignal {
  return AbortSignal.any(signals.filter(signal => signal !== undefined))
}

/** Settles like `promise`, but rejects as soon as the signal aborts. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(toKeybayError(signal.reason))
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop)
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
