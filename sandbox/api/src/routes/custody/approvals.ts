/** This service's consent to what a person's wallet does, where custody asks for it: the second factor of custody. */
import type { MfaAction } from '@keybay/kernel/spec'
import { type TActivity, TurnkeyRequestError } from '@turnkey/http'
import * as v from 'valibot'
import { ended } from '../../custody/client.js'
import { ApiError, custodyWalletMissing, notFound } from '../../http/errors.js'
import { route } from '../../http/route.js'
import { demandMfa } from '../../mfa/demand.js'
import { changing, enabled, ownOrganization } from './common.js'

/** Of custody's errors; gRPC. */
const NOT_FOUND = 5

/**
 * What this service consents to, and what it asks a second factor for first. A session key needs none: what it signs does.
 * Nothing else gets its consent, least of all what would make it needless, as another quorum.
 */
const CONSENTS: Readonly<Record<string, MfaAction | 'nothing'>> = {
  CREATE_READ_WRITE_SESSION: 'nothing',
  SIGN_TRANSACTION: 'wallet.waas.sign',
  SIGN_RAW_PAYLOAD: 'wallet.waas.sign',
  SIGN_RAW_PAYLOADS: 'wallet.waas.sign',
  EXPORT_WALLET: 'wallet.waas.export',
  EXPORT_WALLET_ACCOUNT: 'wallet.waas.export',
  EXPORT_PRIVATE_KEY: 'wallet.waas.export',
  CREATE_WALLET_ACCOUNTS: 'user.update',
  CREATE_AUTHENTICATORS: 'user.update',
  UPDATE_USER_EMAIL: 'user.update',
}
const consentFor = (type: string): MfaAction | 'nothing' | undefined =>
  CONSENTS[type.replace(/^ACTIVITY_TYPE_/, '').replace(/_V\d+$/, '')]

const view = ({ status, result }: TActivity) => ({
  status,
  result: status === 'ACTIVITY_STATUS_COMPLETED' ? { ...result } : null,
})

export const approve = route(
  {
    method: 'POST',
    path: '/custody/approvals',
    tag: 'custody',
    summary:
      'Consents to an activity of the user’s own that waits for it, once a second factor is proved where one is asked for.',
    access: 'session',
    body: v.strictObject({ activityId: v.pipe(v.string(), v.uuid()) }),
    answer: v.object({
      status: v.pipe(v.string(), v.description('Of the activity now; as it was, where this service is not asked')),
      result: v.pipe(v.nullable(v.record(v.string(), v.unknown())), v.description('Once it is complete')),
    }),
    errors: [...changing, custodyWalletMissing, notFound],
  },
  async call => {
    enabled(call)
    const { services, session, body } = call
    const organizationId = await ownOrganization(call, session.userId)
    return services.custody(async ({ client, approver, timestampMs }) => {
      const ask = async () => (await client.getActivity({ organizationId, activityId: body.activityId })).activity
      const waiting = await ask().catch(error => {
        throw error instanceof TurnkeyRequestError && error.code === NOT_FOUND ? new ApiError(notFound) : error
      })
      const { users: guards } = await client.getUsers({ organizationId })
      const isAsked = guards.some(({ apiKeys }) =>
        apiKeys.some(({ credential }) => credential.publicKey === approver.publicKey),
      )
      const action = consentFor(waiting.type)
      if (waiting.status !== 'ACTIVITY_STATUS_CONSENSUS_NEEDED' || !isAsked || !action) return view(waiting)
      if (action !== 'nothing') await demandMfa(call, session, action)
      await approver.client.approveActivity({
        type: 'ACTIVITY_TYPE_APPROVE_ACTIVITY',
        timestampMs,
        organizationId,
        parameters: { fingerprint: waiting.fingerprint },
      })
      return view(await ended(ask))
    })
  },
)
