/** Ends requests that a service does not answer. */

/** Longest wait for a complete response, in ms. Services end each of their own requests after 20 s. */
const RESPONSE_TIMEOUT_MS = 30_000

/** Returns a signal that also aborts when the response takes too long: a silent service ends an operation with an error. */
export function withDeadline(signal: AbortSignal | null | undefined, ms: number = RESPONSE_TIMEOUT_MS): AbortSignal {
  const deadline = AbortSignal.timeout(ms)
  return signal ? AbortSignal.any([signal, deadline]) : deadline
}
