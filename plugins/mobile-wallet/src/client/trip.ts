/** Runs one trip: the phone brings the wallet's app to the front, and the app answers on a websocket of the phone. */
import type { Clock } from '@keybay/kernel/spec'
import { launch } from './protocol.js'

export interface TripOptions {
  readonly signal: AbortSignal | undefined
  readonly clock: Clock
  readonly timeoutMs: number
  createTimeoutError(): Error
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
}
/** The adapter covers the page with a spinner during a trip. It hides the spinner after some trips and removes it after none. */
function removeSpinners() {
  for (const spinner of document.querySelectorAll('body > div[style*="--spinner-color"]')) spinner.remove()
}
/**
 * Rejects when the wallet, the caller or the clock ends the trip: the client library reports neither a closed socket nor every
 * refusal.
 * @param act gets `fail`, which ends the trip with an error
 */
export async function takeTrip<T>(
  { signal, clock, timeoutMs, createTimeoutError }: TripOptions,
  act: (fail: (error: unknown) => void) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted()
  const trip = new AbortController()
  const abort = () => trip.abort(signal?.reason)
  signal?.addEventListener('abort', abort)
  const cancelTimer = clock.after(timeoutMs, () => trip.abort(createTimeoutError()))
  try {
    return await Promise.race([launch(trip, () => act(error => trip.abort(error))), rejectOnAbort(trip.signal)])
  } finally {
    cancelTimer()
    signal?.removeEventListener('abort', abort)
    trip.abort()
    removeSpinners()
  }
}
