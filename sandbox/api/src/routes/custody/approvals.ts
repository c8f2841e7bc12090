/**
 * Gives this service's consent to what a user's wallet does, where custody requires it: the second factor of custody.
 */
import { type TActivity, TurnkeyRequestError } from '@turnkey/http'
import * as v from 'valibot'
import { ended } from '../../custody/client.js'
import { review } from '../../custody/review.js'
import { ApiError, custodyUnavailable, custodyWalletMissing, notFound } from '../../http/errors.js'
import { routesOf } from '../../http/route.js'
import { demandMfa } from '../../mfa/demand.js'
import { changing, enabled, ownOrganization } from './common.js'

const route = routesOf('custody')

/** gRPC code in custody's errors. */
const NOT_FOUND = 5

function view({ status, result }: TActivity) {
  return { status, result: status === 'ACTIVITY_STATUS_COMPLETED' ? { ...result } : null }
}

export const approve = route('POST /custody/approvals', {
  summary:
    'Consents to an activity of the user’s own that waits for it, once a second factor is proved where one is asked for.',
  access: 'session',
  body: v.strictObject({ activityId: v.pipe(v.string(), v.uuid()) }),
  answer: v.object({
    status: v.pipe(v.string(), v.description('Of the activity now; as it was, where this service is not asked')),
    result: v.pipe(v.nullable(v.record(v.string(), v.unknown())), v.description('Once it is complete')),
  }),
  errors: [...changing, custodyWalletMissing, notFound],
  async run(call) {
    enabled(call)
    const { services, session, body } = call
    const { organizationId, ownerId } = await ownOrganization(call, session.userId)
    return services.custody(async ({ client, approver, timestampMs }) => {
      const ask = async () => (await client.getActivity({ organizationId, activityId: body.activityId })).activity
      const waiting = await ask().catch(error => {
        throw error instanceof TurnkeyRequestError && error.code === NOT_FOUND ? new ApiError(notFound) : error
      })
      const guard = approver.getGuard((await client.getUsers({ organizationId })).users)
      if (waiting.status !== 'ACTIVITY_STATUS_CONSENSUS_NEEDED' || !guard) return view(waiting)
      const reviewed = review(waiting, { ownerId, guard })
      if ('refusal' in reviewed) {
        const { refusal } = reviewed
        services.log({ level: 'warn', message: 'custody activity not approved', type: waiting.type, refusal })
        return view(waiting)
      }
      const guardClient = approver.clientFor(guard)
      if (!guardClient) throw new ApiError(custodyUnavailable, { reason: 'approver key expired' })
      if (reviewed.demand !== 'nothing') await demandMfa(call, session, reviewed.demand)
      await guardClient.approveActivity({
        type: 'ACTIVITY_TYPE_APPROVE_ACTIVITY',
        timestampMs,
        organizationId,
        parameters: { fingerprint: waiting.fingerprint },
      })
      return view(await ended(ask))
    })
  },
})
