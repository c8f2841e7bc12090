/** Maximum time to wait for a response, in ms, so that a hanging request does not block payments. */
const TIMEOUT_MS = 30_000

export const fetchInTime: typeof fetch = (url, init) => fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) })
