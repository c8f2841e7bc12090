/** Abortable waits on the kernel's clock. */
import type { Clock } from '@keybay/kernel'
import { type KeybayError, toKeybayError } from '@keybay/kernel/spec'

export function createAbortError(): KeybayError {
  return toKeybayError(new DOMException('', 'AbortError'))
}
/** @throws KeybayError `aborted` */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw createAbortError()
}
/** Settles like the promise, or rejects immediately when the signal aborts. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise
  return new Promise((resolve, reject) => {
    const stop = () => reject(createAbortError())
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
/** @param ms milliseconds */
export function sleep(clock: Clock, ms: number, signal: AbortSignal | undefined): Promise<void> {
  let cancel = () => {}
  const slept = new Promise<void>(resolve => {
    cancel = clock.after(ms, resolve)
  })
  return abortable(slept, signal).finally(() => cancel())
}
