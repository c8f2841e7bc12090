/** Deletes expired data at intervals while a service runs. */
import { describeError } from './http/json.js'
import type { Log } from './log.js'

/** Interval for every service, in ms. */
const SWEEP_EVERY = 60_000

/** Sweeps once a minute; logs a failed sweep and continues. @returns a function that stops sweeping */
export function sweepAgainAndAgain(sweep: () => Promise<unknown>, log: Log): () => void {
  const timer = setInterval(() => {
    sweep().catch((error: unknown) => log({ level: 'error', message: 'sweep failed', error: describeError(error) }))
  }, SWEEP_EVERY)
  return () => clearInterval(timer)
}
