/** Calls of the custody service by Turnkey's own client: their failures in the kit's words (S8.7), and activities to their end. */
import {
  custodyBaseUrlMissing,
  custodyConsensusNeeded,
  custodyRequestFailed,
  custodyStatusUnexpected,
} from '@keybay/kernel/spec'
import { type TActivity, TurnkeyClient, TurnkeyRequestError } from '@turnkey/http'
import type { Tools } from './tools.js'

/** Either of Turnkey's stampers. */
export type Stamper = ConstructorParameters<typeof TurnkeyClient>[1]
export type Client = TurnkeyClient

const POLL_MS = 500

/** @throws KeybayError `custody_base_url_missing` */
export const createClient = ({ options, fault }: Tools, stamper: Stamper): Client => {
  if (!options.baseUrl) throw fault(custodyBaseUrlMissing)
  return new TurnkeyClient({ baseUrl: options.baseUrl.replace(/\/$/, '') }, stamper)
}

/** What the service or the browser says, as a KeybayError. */
export const explain = ({ fault, errors: [, toKeybayError, userRejected] }: Tools, error: unknown): unknown => {
  if (error instanceof TurnkeyRequestError) {
    const { code, message, details } = error
    return fault(custodyRequestFailed, { detail: message, details: { code, message, details } })
  }
  const name: unknown = Reflect.get(Object(error), 'name')
  // Declined, dismissed, or not answered in time: browsers do not tell these apart, for privacy.
  if (name === 'NotAllowedError') return fault(userRejected, { cause: error })
  return toKeybayError(error, 'turnkey')
}

/** Whether the service no longer takes the session key. */
export const isKeyGone = (error: unknown): boolean =>
  error instanceof TurnkeyRequestError &&
  error.code === 16 &&
  /expired|could not find public key|API_KEY_EXPIRED|PUBLIC_KEY_NOT_FOUND/i.test(
    `${error.message} ${JSON.stringify(error.details)}`,
  )

const isUnderWay = ({ status }: TActivity): boolean =>
  status === 'ACTIVITY_STATUS_CREATED' || status === 'ACTIVITY_STATUS_PENDING'

/**
 * Waits for the end of an activity.
 *
 * @throws KeybayError `custody_consensus_needed`, `custody_status_unexpected`, with the activity's id in `details`
 */
export const finish = async (
  tools: Tools,
  client: Client,
  { activity }: { readonly activity: TActivity },
): Promise<TActivity['result']> => {
  const { kernel, fault } = tools
  let current = activity
  while (isUnderWay(current)) {
    await new Promise<void>(resolve => kernel.clock.after(POLL_MS, resolve))
    const { organizationId, id: activityId } = current
    current = (await client.getActivity({ organizationId, activityId })).activity
  }
  const { id: activityId, fingerprint, status } = current
  if (status === 'ACTIVITY_STATUS_COMPLETED') return current.result
  const details = { activityId, fingerprint, status }
  if (status === 'ACTIVITY_STATUS_CONSENSUS_NEEDED') throw fault(custodyConsensusNeeded, { details })
  const { code, message } = custodyStatusUnexpected
  throw fault({ code, message: message.replace('{status}', status) }, { details })
}
