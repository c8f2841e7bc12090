/** Key custody: a user's sub-organization, its recovery by email, and actions that need this service's consent. */
import { emailRecoveryDisabled, RECOVERY_CODE_VALIDITY_SECONDS } from '@keybay/kernel/spec'
import { type TActivity, TurnkeyRequestError } from '@turnkey/http'
import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { targetPublicKey } from '../custody/agreements.js'
import { ended, finish } from '../custody/client.js'
import { review } from '../custody/review.js'
import { users } from '../db/schema.js'
import {
  ApiError,
  custodyUnavailable,
  custodyWalletMissing,
  notFound,
  reauthenticationRequired,
  sessionExpired,
} from '../http/errors.js'
import { time } from '../http/fields.js'
import { type Route, routesOf } from '../http/route.js'
import { demandMfa } from '../mfa/demand.js'
import { demandStepUp } from '../mfa/step-up.js'
import { changing, create, enabled, ownOrganization, read } from './custody/organization.js'

const route = routesOf('custody')

/** gRPC code in custody's errors. */
const NOT_FOUND = 5

function view({ status, result }: TActivity) {
  return { status, result: status === 'ACTIVITY_STATUS_COMPLETED' ? { ...result } : null }
}

const approve = route('POST /custody/approvals', {
  summary:
    'Consents to an activity of the user’s own that waits for it, once a second factor is proved where one is asked for.',
  access: 'session',
  body: v.strictObject({ activityId: v.pipe(v.string(), v.uuid()) }),
  answer: v.object({
    status: v.pipe(v.string(), v.description('Of the activity now; as it was, where this service is not asked')),
    result: v.pipe(v.nullable(v.record(v.string(), v.unknown())), v.description('Once it is complete')),
  }),
  errors: [...changing, custodyWalletMissing, notFound, reauthenticationRequired],
  async run(call) {
    enabled(call)
    const { services, session, body } = call
    await services.limits.hit('custody approvals per user', session.userId)
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
      const { demand } = reviewed
      if (demand === 'wallet.waas.sign') await demandMfa(call, session, demand)
      else if (demand !== 'nothing') await demandStepUp(call, session, demand)
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

const recover = route('POST /custody/recovery', {
  summary: 'Has custody mail a recovery code to the address of the wallet, sealed to the page’s key.',
  access: 'session',
  mfa: 'user.update',
  body: v.strictObject({ targetPublicKey }),
  status: 202,
  answer: v.object({ organizationId: v.string(), recoveryUserId: v.string(), codeExpiresAt: time }),
  errors: [...changing, emailRecoveryDisabled, custodyWalletMissing],
  async run(call) {
    enabled(call)
    const { services, environment, session, body } = call
    if (!environment.custody.emailRecovery) throw new ApiError(emailRecoveryDisabled)
    await services.limits.hit('recovery per user', session.userId)
    const { organizationId, ownerId } = await ownOrganization(call, session.userId)
    const [user] = await services.db.select().from(users).where(eq(users.id, session.userId))
    if (!user) throw new ApiError(sessionExpired)
    return services.custody(async ({ client, timestampMs }) => {
      const { users: members } = await client.getUsers({ organizationId })
      const email = members.find(({ userId }) => userId === ownerId)?.userEmail
      if (email === undefined) throw new ApiError(emailRecoveryDisabled)
      const result = await finish(
        client,
        await client.initUserEmailRecovery({
          type: 'ACTIVITY_TYPE_INIT_USER_EMAIL_RECOVERY_V2',
          timestampMs,
          organizationId,
          parameters: {
            email,
            targetPublicKey: body.targetPublicKey,
            expirationSeconds: String(RECOVERY_CODE_VALIDITY_SECONDS),
            emailCustomization: { appName: environment.name },
          },
        }),
      )
      return {
        organizationId,
        recoveryUserId: result.initUserEmailRecoveryResult?.userId ?? '',
        codeExpiresAt: Number(timestampMs) + RECOVERY_CODE_VALIDITY_SECONDS * 1000,
      }
    })
  },
})

export const custodyRoutes: readonly Route[] = [read, create, recover, approve]
