/** Calls the custody service through Turnkey's client, converts its errors (S8.7), and waits for activities. */
import {
  custodyBaseUrlMissing,
  custodyConsensusNeeded,
  custodyRequestFailed,
  custodyStatusUnexpected,
  field,
  type KeybayError,
  toKeybayError,
  userRejected,
  withValues,
} from '@keybay/kernel/spec'
import { type TActivity, TurnkeyClient, TurnkeyRequestError } from '@turnkey/http'
import { custodyUnfinished, custodyUnreachable, turnkeyError } from './errors.js'
import type { Tools } from './tools.js'

export type Stamper = ConstructorParameters<typeof TurnkeyClient>[1]
export type Client = TurnkeyClient
export type Result = TActivity['result']

const POLL_INTERVAL_MS = 500
const POLL_TIMEOUT_MS = 60_000

/** @throws KeybayError `custody_base_url_missing` */
export function createClient({ options }: Tools, stamper: Stamper): Client {
  if (!options.baseUrl) throw turnkeyError(custodyBaseUrlMissing)
  return new TurnkeyClient({ baseUrl: options.baseUrl.replace(/\/$/, '') }, stamper)
}

export function toTurnkeyError(error: unknown): KeybayError {
  if (error instanceof TurnkeyRequestError) {
    const { code, message, details } = error
    return turnkeyError(custodyRequestFailed, { detail: message, details: { code, message, details } })
  }
  // Declined, dismissed or timed out: browsers do not distinguish these, for privacy.
  if (field(error, 'name') === 'NotAllowedError') return turnkeyError(userRejected, { cause: error })
  // Thrown by `fetch`, with a different message in each browser. A failed script import is another error.
  if (error instanceof TypeError && /fetch|load failed/i.test(error.message) && !/import/i.test(error.message))
    return turnkeyError(custodyUnreachable, { cause: error })
  return toKeybayError(error, 'turnkey')
}
/** Returns true if the service no longer accepts the session key. */
export function isKeyGone(error: unknown): boolean {
  return (
    error instanceof TurnkeyRequestError &&
    error.code === 16 &&
    /expired|could not find public key|API_KEY_EXPIRED|PUBLIC_KEY_NOT_FOUND/i.test(
      `${error.message} ${JSON.stringify(error.details)}`,
    )
  )
}

function isPending({ status }: TActivity): boolean {
  return status === 'ACTIVITY_STATUS_CREATED' || status === 'ACTIVITY_STATUS_PENDING'
}
/** Checks a result from the product API, because any of its fields may be missing. */
function isResult(value: unknown): value is Result {
  return typeof value === 'object' && value !== null
}
/**
 * In environments with a second factor, the product API must also approve the activity: it prompts the user, then approves.
 * Returns undefined while others must still approve.
 */
async function approve({ account }: Tools, activityId: string): Promise<Result | undefined> {
  const response = await account.request('/custody/approvals', { method: 'POST', body: { activityId } })
  const result = field(response, 'result')
  return isResult(result) ? result : undefined
}

export interface Activity {
  readonly activity: TActivity
}
interface Polling {
  /** Returns the activity's current state. */
  poll(activityId: string): Promise<Activity>
  readonly signal: AbortSignal
}
/** @throws KeybayError `custody_unfinished`; the errors of `poll` */
async function waitForEnd({ kernel: { clock } }: Tools, { activity }: Activity, { poll, signal }: Polling) {
  const { id: activityId, fingerprint } = activity
  let current = activity
  let stop = () => {}
  let cancelTimeout = () => {}
  let cancelPause = () => {}
  const stopped = new Promise<never>((_, reject) => {
    stop = () =>
      reject(turnkeyError(custodyUnfinished, { details: { activityId, fingerprint, status: current.status } }))
    cancelTimeout = clock.after(POLL_TIMEOUT_MS, stop)
    signal.addEventListener('abort', stop)
    if (signal.aborted) stop()
  })
  try {
    while (isPending(current)) {
      const pause = new Promise<void>(resolve => {
        cancelPause = clock.after(POLL_INTERVAL_MS, resolve)
      })
      await Promise.race([stopped, pause])
      current = (await Promise.race([stopped, poll(activityId)])).activity
    }
    return current
  } finally {
    cancelTimeout()
    cancelPause()
    signal.removeEventListener('abort', stop)
  }
}
/**
 * Waits for the end of an activity.
 * @throws KeybayError `custody_consensus_needed`, `custody_status_unexpected`, `custody_unfinished`, with the activity's ID in
 * `details`
 */
export async function finish(tools: Tools, submitted: Activity, polling: Polling): Promise<Result> {
  const { activity } = submitted
  const ended = isPending(activity) ? await waitForEnd(tools, submitted, polling) : activity
  const { id: activityId, fingerprint, status, result } = ended
  if (status === 'ACTIVITY_STATUS_COMPLETED') return result
  const details = { activityId, fingerprint, status }
  if (status === 'ACTIVITY_STATUS_CONSENSUS_NEEDED') {
    const approved = await approve(tools, activityId)
    if (approved) return approved
    throw turnkeyError(custodyConsensusNeeded, { details })
  }
  throw turnkeyError(withValues(custodyStatusUnexpected, { status }), { details })
}
