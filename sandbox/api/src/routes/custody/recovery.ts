/** Sends a recovery code by email to users who have lost every passkey. */
import { emailRecoveryDisabled, RECOVERY_CODE_VALIDITY_SECONDS } from '@keybay/kernel/spec'
import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { finish } from '../../custody/client.js'
import { targetPublicKey } from '../../custody/fields.js'
import { users } from '../../db/schema.js'
import { ApiError, custodyWalletMissing, sessionExpired } from '../../http/errors.js'
import { time } from '../../http/fields.js'
import { routesOf } from '../../http/route.js'
import { changing, enabled, ownOrganization } from './common.js'

const route = routesOf('custody')

export const recover = route('POST /custody/recovery', {
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
      const { users: people } = await client.getUsers({ organizationId })
      const email = people.find(({ userId }) => userId === ownerId)?.userEmail
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
