/** For an answer, ms: who waits for one for ever pays nobody. */
const PATIENCE = 30_000

export const fetchInTime: typeof fetch = (url, init) => fetch(url, { ...init, signal: AbortSignal.timeout(PATIENCE) })
