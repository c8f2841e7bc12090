/** Recovery by email: a key sealed to the user's page and sent by mail; it can only add one new passkey. */
import { generateP256KeyPair } from '@turnkey/crypto'
import { and, eq, gt, inArray, isNull } from 'drizzle-orm'
import * as v from 'valibot'
import { activities, apiKeys, organizations, users } from '../db/schema.js'
import { CustodyError, failedPrecondition, permissionDenied, resourceNotFound, tooMany } from '../http/errors.js'
import { authenticatorParams } from '../stamps/webauthn.js'
import { email, id, seconds, targetPublicKey } from './fields.js'
import { type ActivityKind, kind, type Running } from './kind.js'
import { addApiKey, addAuthenticator, getUser } from './store.js'

/** Lifetime of a recovery code (S9.1). */
const CODE_SECONDS = 900
const MAX_MAILS_PER_HOUR = 5
const TYPES = ['ACTIVITY_TYPE_INIT_USER_EMAIL_RECOVERY_V2', 'ACTIVITY_TYPE_INIT_USER_EMAIL_RECOVERY']

const text = v.optional(v.pipe(v.string(), v.maxLength(1024)))
const line = v.pipe(v.string(), v.maxLength(256), v.regex(/^[^\r\n]*$/))
const customization = v.strictObject({
  appName: v.optional(line),
  logoUrl: text,
  magicLinkTemplate: text,
  templateVariables: text,
  templateId: text,
})

async function limitMails({ tx, organizationId, now }: Running): Promise<void> {
  const recent = await tx
    .select({ id: activities.id })
    .from(activities)
    .where(
      and(
        eq(activities.organizationId, organizationId),
        inArray(activities.type, TYPES),
        eq(activities.status, 'ACTIVITY_STATUS_COMPLETED'),
        gt(activities.updatedAt, now - 3_600_000),
      ),
    )
  if (recent.length >= MAX_MAILS_PER_HOUR) throw new CustodyError(tooMany)
}

function words(appName: string | undefined, code: string, minutes: number): string {
  return [
    `We received a request to recover your ${appName ? `${appName} ` : ''}wallet on a new device.`,
    `If you made this request, enter this code on that device within ${minutes} minutes:`,
    code,
    'The code does not work on any other device. If you did not make this request, ignore this email.',
  ].join('\n\n')
}

export const recoveryKinds: readonly ActivityKind[] = [
  kind({
    path: 'init_user_email_recovery',
    versions: ['V2', ''],
    action: 'RECOVER',
    resource: 'USER',
    by: 'parent',
    parameters: v.strictObject({
      email,
      targetPublicKey,
      expirationSeconds: v.optional(seconds),
      emailCustomization: v.optional(customization),
      sendFromEmailAddress: v.optional(line),
      sendFromEmailSenderName: v.optional(line),
      replyToEmailAddress: v.optional(line),
    }),
    run: async (running, { email, targetPublicKey, expirationSeconds = CODE_SECONDS, emailCustomization }) => {
      const { tx, services, organizationId, activityId } = running
      const [organization] = await tx.select().from(organizations).where(eq(organizations.id, organizationId))
      if (!organization?.emailRecovery) throw new CustodyError(failedPrecondition, { reason: 'email recovery is off' })
      const [user] = await tx
        .select()
        .from(users)
        .where(and(eq(users.organizationId, organizationId), eq(users.email, email)))
      if (!user) throw new CustodyError(resourceNotFound, { resource: 'user' })
      await limitMails(running)
      const type = 'CREDENTIAL_TYPE_RECOVER_USER_KEY_P256'
      // Only the newest code counts.
      await tx.delete(apiKeys).where(and(eq(apiKeys.userId, user.id), eq(apiKeys.type, type)))
      const { publicKey, privateKey } = generateP256KeyPair()
      await addApiKey(running, user.id, { apiKeyName: `Recovery ${activityId}`, publicKey, expirationSeconds }, type)
      const code = services.enclave.credentialBundle(Buffer.from(privateKey, 'hex'), targetPublicKey)
      const minutes = Math.max(1, Math.floor(expirationSeconds / 60))
      await services.mail.send(email, 'Recover your wallet', words(emailCustomization?.appName, code, minutes))
      return { userId: user.id }
    },
  }),
  kind({
    path: 'recover_user',
    action: 'RECOVER',
    resource: 'CREDENTIAL',
    by: 'recovery',
    parameters: v.strictObject({ userId: id, authenticator: authenticatorParams }),
    check: (actor, { userId }) => {
      if (actor.userId !== userId) throw new CustodyError(permissionDenied)
    },
    run: async (running, { userId, authenticator }) => {
      await getUser(running, userId)
      const type = 'CREDENTIAL_TYPE_RECOVER_USER_KEY_P256'
      const spent = await running.tx
        .update(apiKeys)
        .set({ usedAt: running.now })
        // Check the key where it is used: two requests at once may both have arrived with an unused key.
        .where(and(eq(apiKeys.userId, userId), eq(apiKeys.type, type), isNull(apiKeys.usedAt)))
        .returning({ id: apiKeys.id })
      if (spent.length === 0) throw new CustodyError(permissionDenied)
      return { authenticatorId: [await addAuthenticator(running, userId, authenticator)] }
    },
  }),
]
