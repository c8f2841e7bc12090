/** Connects to the key-custody service as its operator, with Turnkey's own client. */
import { setTimeout } from 'node:timers/promises'
import {
  assertActivityCompleted,
  type TActivity,
  TurnkeyActivityError,
  type TurnkeyClient,
  TurnkeyRequestError,
} from '@turnkey/http'
import { ApiError, custodyUnavailable, invalidPasskey } from '../http/errors.js'
import { type Approver, type ApproverKeys, createApprover } from './approver-keys.js'
import { type CustodyKey, getClient } from './keys.js'

export interface CustodyOperator extends CustodyKey {
  readonly organizationId: string
}
export interface CustodyOptions {
  /** URL for Node: the sandbox's own custody, or Turnkey's. */
  readonly baseUrl: string
  /** Called when the key is needed, because a sandbox creates it when custody first starts. */
  readonly operator: () => CustodyOperator | undefined
  /** The approver's keys as JSON, instead of the file `approver/keys.json` in `dataDir`. All instances of one database share them. */
  readonly approverKeys?: string
}

export interface CustodyCall {
  readonly client: TurnkeyClient
  readonly approver: Approver
  readonly organizationId: string
  /** Current time in ms, as a string for the wire. */
  readonly timestampMs: string
}
/** @param requestId ID of the request that custody is called for */
export type CustodyService = <T>(run: (call: CustodyCall) => Promise<T>, requestId?: string) => Promise<T>

const POLL_MS = 250
const MAX_POLLS = 80

export async function ended(ask: () => Promise<TActivity>): Promise<TActivity> {
  let current = await ask()
  const isUnderWay = () => current.status === 'ACTIVITY_STATUS_CREATED' || current.status === 'ACTIVITY_STATUS_PENDING'
  for (let polls = 0; isUnderWay() && polls < MAX_POLLS; polls++) {
    await setTimeout(POLL_MS)
    current = await ask()
  }
  return current
}

/** Waits for an activity to end and returns its result. @throws TurnkeyActivityError when it is not complete by then */
export async function finish(
  client: TurnkeyClient,
  { activity }: { readonly activity: TActivity },
): Promise<TActivity['result']> {
  const { organizationId, id: activityId } = activity
  let known: TActivity | undefined = activity
  const current = await ended(async () => {
    const answer = known ?? (await client.getActivity({ organizationId, activityId })).activity
    known = undefined
    return answer
  })
  assertActivityCompleted(current)
  return current.result
}

/** gRPC codes with which custody refuses. After any other error, such as INTERNAL, it may have done its work. */
const REFUSALS: ReadonlySet<unknown> = new Set([3, 5, 6, 7, 8, 9, 16])
const UNSUCCESSFUL: ReadonlySet<unknown> = new Set(['ACTIVITY_STATUS_FAILED', 'ACTIVITY_STATUS_REJECTED'])

/** Returns whether custody is known to have done nothing. */
export function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.details?.reason !== 'no answer'
}

/** @param now ms since epoch */
export function createCustody(
  options: CustodyOptions | undefined,
  approverKeys: ApproverKeys,
  now: () => number,
): CustodyService {
  return async (run, requestId) => {
    const operator = options?.operator()
    if (!options || !operator) throw new ApiError(custodyUnavailable, { reason: 'not configured' })
    const { baseUrl } = options
    try {
      return await run({
        client: getClient(baseUrl, operator, requestId),
        approver: createApprover(baseUrl, approverKeys(), { now: now(), requestId }),
        organizationId: operator.organizationId,
        timestampMs: String(now()),
      })
    } catch (error) {
      if (error instanceof ApiError) throw error
      if (error instanceof TurnkeyActivityError && UNSUCCESSFUL.has(error.activityStatus))
        throw new ApiError(custodyUnavailable, { reason: 'refused' })
      if (!(error instanceof TurnkeyRequestError) || !REFUSALS.has(error.code))
        throw new ApiError(custodyUnavailable, { reason: 'no answer' })
      const [detail] = error.details ?? []
      if (detail?.turnkeyErrorCode === 'ATTESTATION_INVALID') throw new ApiError(invalidPasskey)
      throw new ApiError(custodyUnavailable, { reason: 'refused', custodyCode: error.code })
    }
  }
}
