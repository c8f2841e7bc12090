/** Removing what has run out, again and again, while a service runs. */
import { describeError } from './http/json.js'
import type { Log } from './log.js'

/** Of every service, ms. */
const SWEEP_EVERY = 60_000

/** Once a minute; a sweep that fails is logged and the next one tried. @returns ends it */
export function sweepAgainAndAgain(sweep: () => Promise<unknown>, log: Log): () => void {
  const timer = setInterval(() => {
    sweep().catch((error: unknown) => log({ level: 'error', message: 'sweep failed', error: describeError(error) }))
  }, SWEEP_EVERY)
  return () => clearInterval(timer)
}
