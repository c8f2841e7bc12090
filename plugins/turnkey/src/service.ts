/** Calls of the custody service by Turnkey's own client: their failures in the kit's words (S8.7), and activities to their end. */
import {
  custodyBaseUrlMissing,
  custodyConsensusNeeded,
  custodyRequestFailed,
  custodyStatusUnexpected,
} from '@keybay/kernel/spec'
import { type TActivity, TurnkeyClient, TurnkeyRequestError } from '@turnkey/http'
import { custodyUnfinished, custodyUnreachable } from './errors.js'
import type { Tools } from './tools.js'

/** Either of Turnkey's stampers. */
export type Stamper = ConstructorParameters<typeof TurnkeyClient>[1]
export type Client = TurnkeyClient
export type Result = TActivity['result']

const POLL_MS = 500
const LONGEST_POLLING_MS = 60_000

/** @throws KeybayError `custody_base_url_missing` */
export function createClient({ options, fault }: Tools, stamper: Stamper): Client {
  if (!options.baseUrl) throw fault(custodyBaseUrlMissing)
  return new TurnkeyClient({ baseUrl: options.baseUrl.replace(/\/$/, '') }, stamper)
}

/** What the service or the browser says, as a KeybayError. */
export function explain({ fault, errors: [, toKeybayError, userRejected] }: Tools, error: unknown): unknown {
  if (error instanceof TurnkeyRequestError) {
    const { code, message, details } = error
    return fault(custodyRequestFailed, { detail: message, details: { code, message, details } })
  }
  const name: unknown = Reflect.get(Object(error), 'name')
  // Declined, dismissed, or not answered in time: browsers do not tell these apart, for privacy.
  if (name === 'NotAllowedError') return fault(userRejected, { cause: error })
  // What `fetch` throws, in the words of each browser; a file of the page that did not come is something else.
  if (error instanceof TypeError && /fetch|load failed/i.test(error.message) && !/import/i.test(error.message))
    return fault(custodyUnreachable, { cause: error })
  return toKeybayError(error, 'turnkey')
}

/** Whether the service no longer takes the session key. */
export function isKeyGone(error: unknown): boolean {
  return (
    error instanceof TurnkeyRequestError &&
    error.code === 16 &&
    /expired|could not find public key|API_KEY_EXPIRED|PUBLIC_KEY_NOT_FOUND/i.test(
      `${error.message} ${JSON.stringify(error.details)}`,
    )
  )
}

function isUnderWay({ status }: TActivity): boolean {
  return status === 'ACTIVITY_STATUS_CREATED' || status === 'ACTIVITY_STATUS_PENDING'
}

/** What custody answered, by way of the product API: whoever reads it takes each field as one that may be missing. */
function isResult(value: unknown): value is Result {
  return typeof value === 'object' && value !== null
}

/**
 * Where the environment asks for a second factor, the product API is the second of two who must agree: it asks the user,
 * and agrees. Undefined: others are waited for.
 */
async function secondFactor({ account }: Tools, activityId: string): Promise<Result | undefined> {
  const answer = await account.request('/custody/approvals', { method: 'POST', body: { activityId } })
  const result: unknown = Reflect.get(Object(answer), 'result')
  return isResult(result) ? result : undefined
}

export interface Activity {
  readonly activity: TActivity
}
/** How the end of an activity is waited for. */
export interface Polling {
  /** What has become of it. */
  ask(activityId: string): Promise<Activity>
  /** Aborted: nobody waits any longer. */
  readonly signal: AbortSignal
}

/** @throws KeybayError `custody_unfinished`; what `ask` throws */
async function untilOver(
  { kernel: { clock }, fault }: Tools,
  { activity }: Activity,
  { ask, signal }: Polling,
): Promise<TActivity> {
  const { id: activityId, fingerprint } = activity
  let current = activity
  let leave = () => {}
  let stop = () => {}
  let stopPause = () => {}
  const tooLate = new Promise<never>((_, reject) => {
    leave = () => reject(fault(custodyUnfinished, { details: { activityId, fingerprint, status: current.status } }))
    stop = clock.after(LONGEST_POLLING_MS, leave)
    signal.addEventListener('abort', leave)
    if (signal.aborted) leave()
  })
  try {
    while (isUnderWay(current)) {
      const pause = new Promise<void>(resolve => {
        stopPause = clock.after(POLL_MS, resolve)
      })
      await Promise.race([tooLate, pause])
      current = (await Promise.race([tooLate, ask(activityId)])).activity
    }
    return current
  } finally {
    stop()
    stopPause()
    signal.removeEventListener('abort', leave)
  }
}

/**
 * Waits for the end of an activity.
 *
 * @throws KeybayError `custody_consensus_needed`, `custody_status_unexpected`, `custody_unfinished`, with the activity's id in
 *   `details`
 */
export async function finish(tools: Tools, answer: Activity, polling: Polling): Promise<Result> {
  const { fault } = tools
  const { activity } = answer
  const {
    id: activityId,
    fingerprint,
    status,
    result,
  } = isUnderWay(activity) ? await untilOver(tools, answer, polling) : activity
  if (status === 'ACTIVITY_STATUS_COMPLETED') return result
  const details = { activityId, fingerprint, status }
  if (status === 'ACTIVITY_STATUS_CONSENSUS_NEEDED') {
    const agreed = await secondFactor(tools, activityId)
    if (agreed) return agreed
    throw fault(custodyConsensusNeeded, { details })
  }
  const { code, message } = custodyStatusUnexpected
  throw fault({ code, message: message.replace('{status}', status) }, { details })
}
