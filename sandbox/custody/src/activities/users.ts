/** Users and their credentials. */

import { generateP256KeyPair } from '@turnkey/crypto'
import { and, eq, inArray, isNull } from 'drizzle-orm'
import * as v from 'valibot'
import { apiKeys, authenticators, organizations, users, votes } from '../db/schema.js'
import { CustodyError, failedPrecondition, keyNotFound, resourceNotFound } from '../http/errors.js'
import { authenticatorParams } from '../stamps/webauthn.js'
import { isService } from './demand.js'
import { apiKeyParams, email, id, name, seconds, targetPublicKey } from './fields.js'
import { type ActivityKind, kind, type Running, type Stamp } from './kind.js'
import { userParams } from './organizations.js'
import { addApiKey, addAuthenticator, addUser, getUser } from './store.js'

/** Lifetime of a session whose request names none. */
const SESSION_SECONDS = 900
const ids = v.pipe(v.array(id), v.minLength(1), v.maxLength(16))

/**
 * Locks the user whose credentials are deleted, so that two deletions at once cannot remove the last two.
 * @throws CustodyError `PUBLIC_KEY_NOT_FOUND` when another deletion has removed the credential of the user's vote
 */
async function lockUser(running: Running, userId: string): Promise<void> {
  const { tx, activityId } = running
  await getUser(running, userId)
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update')
  const isVote = and(eq(votes.activityId, activityId), eq(votes.userId, userId))
  const [orphan] = await tx
    .select({ id: votes.id })
    .from(votes)
    .leftJoin(authenticators, eq(authenticators.id, votes.credentialId))
    .leftJoin(apiKeys, eq(apiKeys.id, votes.credentialId))
    .where(and(isVote, isNull(authenticators.id), isNull(apiKeys.id)))
  if (orphan) throw new CustodyError(keyNotFound)
}

/** Keeps one credential that does not expire for each root user; without it the organization could become unusable. */
async function assertReachable({ tx, organizationId }: Running, userId: string): Promise<void> {
  const [organization] = await tx.select().from(organizations).where(eq(organizations.id, organizationId))
  if (!organization?.rootUserIds.includes(userId)) return
  const type = 'CREDENTIAL_TYPE_API_KEY_P256'
  const lasting = and(eq(apiKeys.userId, userId), eq(apiKeys.type, type), isNull(apiKeys.expiresAt))
  const left =
    (await tx.$count(authenticators, eq(authenticators.userId, userId))) + (await tx.$count(apiKeys, lasting))
  if (left === 0) throw new CustodyError(failedPrecondition, { reason: 'a root user keeps one credential at least' })
}

/** Allows a session key to delete itself, and no other key. */
function endsItself({ credential, credentialId }: Stamp, apiKeyIds: readonly string[]): boolean {
  const isSession = credential === 'CREDENTIAL_TYPE_READ_WRITE_SESSION_KEY_P256'
  return isSession && apiKeyIds.every(apiKeyId => apiKeyId === credentialId)
}

export const userKinds: readonly ActivityKind[] = [
  kind({
    path: 'create_users',
    versions: ['V4', 'V3'],
    action: 'CREATE',
    resource: 'USER',
    parameters: v.strictObject({
      users: v.pipe(
        v.array(v.strictObject({ ...userParams, userTags: v.pipe(v.array(v.string()), v.maxLength(0)) })),
        v.minLength(1),
        v.maxLength(16),
      ),
    }),
    cost: ({ users }) => ({ rows: users.length }),
    run: async (running, params) => {
      const userIds: string[] = []
      for (const user of params.users) userIds.push(await addUser(running, user))
      return { userIds }
    },
  }),
  kind({
    path: 'update_user_email',
    action: 'UPDATE',
    resource: 'USER',
    parameters: v.strictObject({ userId: id, userEmail: email, verificationToken: v.optional(v.string()) }),
    run: async (running, { userId, userEmail }) => {
      await getUser(running, userId)
      await running.tx.update(users).set({ email: userEmail, updatedAt: running.now }).where(eq(users.id, userId))
      return { userId }
    },
  }),
  kind({
    path: 'create_authenticators',
    versions: ['V2'],
    action: 'CREATE',
    resource: 'CREDENTIAL',
    parameters: v.strictObject({
      userId: id,
      authenticators: v.pipe(v.array(authenticatorParams), v.minLength(1), v.maxLength(8)),
    }),
    run: async (running, params) => {
      await getUser(running, params.userId)
      const authenticatorIds: string[] = []
      for (const authenticator of params.authenticators)
        authenticatorIds.push(await addAuthenticator(running, params.userId, authenticator))
      return { authenticatorIds }
    },
  }),
  kind({
    path: 'delete_authenticators',
    action: 'DELETE',
    resource: 'CREDENTIAL',
    parameters: v.strictObject({ userId: id, authenticatorIds: ids }),
    run: async (running, { userId, authenticatorIds }) => {
      const { tx } = running
      await lockUser(running, userId)
      const userAuthenticators = await tx.select().from(authenticators).where(eq(authenticators.userId, userId))
      const requestedIds = new Set(authenticatorIds)
      if (userAuthenticators.filter(row => requestedIds.has(row.id)).length < requestedIds.size)
        throw new CustodyError(resourceNotFound, { resource: 'authenticator' })
      await tx.delete(authenticators).where(inArray(authenticators.id, [...requestedIds]))
      await assertReachable(running, userId)
      return { authenticatorIds: [...requestedIds] }
    },
  }),
  kind({
    path: 'create_api_keys',
    versions: ['V2'],
    action: 'CREATE',
    resource: 'CREDENTIAL',
    parameters: v.strictObject({ userId: id, apiKeys: v.pipe(v.array(apiKeyParams), v.minLength(1), v.maxLength(8)) }),
    isOwnAffair: async (stamped, { userId }) => userId === stamped.stamp.userId && isService(stamped),
    run: async (running, params) => {
      await getUser(running, params.userId)
      const apiKeyIds: string[] = []
      for (const key of params.apiKeys) apiKeyIds.push(await addApiKey(running, params.userId, key))
      return { apiKeyIds }
    },
  }),
  kind({
    path: 'delete_api_keys',
    action: 'DELETE',
    resource: 'CREDENTIAL',
    parameters: v.strictObject({ userId: id, apiKeyIds: ids }),
    isOwnAffair: async (stamped, { userId, apiKeyIds }) =>
      userId === stamped.stamp.userId && (endsItself(stamped.stamp, apiKeyIds) || isService(stamped)),
    run: async (running, { userId, apiKeyIds }) => {
      await lockUser(running, userId)
      const requestedIds = [...new Set(apiKeyIds)]
      const deleted = await running.tx
        .delete(apiKeys)
        .where(and(eq(apiKeys.userId, userId), inArray(apiKeys.id, requestedIds)))
        .returning({ id: apiKeys.id })
      if (deleted.length < requestedIds.length) throw new CustodyError(resourceNotFound, { resource: 'api key' })
      await assertReachable(running, userId)
      return { apiKeyIds: requestedIds }
    },
  }),
  kind({
    path: 'create_read_write_session',
    versions: ['V2'],
    resultVersion: 'V2',
    action: 'CREATE',
    resource: 'CREDENTIAL',
    needs: 'passkey',
    actsAs: ({ userId }) => userId,
    parameters: v.strictObject({
      targetPublicKey,
      userId: v.optional(id),
      apiKeyName: v.optional(name),
      expirationSeconds: v.optional(seconds),
      invalidateExisting: v.optional(v.boolean()),
    }),
    run: async (running, { targetPublicKey, apiKeyName, expirationSeconds = SESSION_SECONDS, ...params }) => {
      const { tx, services, organizationId, activityId } = running
      const user = await getUser(running, params.userId ?? running.userId)
      const type = 'CREDENTIAL_TYPE_READ_WRITE_SESSION_KEY_P256'
      if (params.invalidateExisting)
        await tx.delete(apiKeys).where(and(eq(apiKeys.userId, user.id), eq(apiKeys.type, type)))
      const { publicKey, privateKey } = generateP256KeyPair()
      const key = { apiKeyName: apiKeyName ?? `Session ${activityId}`, publicKey, expirationSeconds }
      const apiKeyId = await addApiKey(running, user.id, key, type)
      const [organization] = await tx.select().from(organizations).where(eq(organizations.id, organizationId))
      return {
        organizationId,
        organizationName: organization?.name ?? '',
        userId: user.id,
        username: user.name,
        apiKeyId,
        credentialBundle: services.enclave.credentialBundle(Buffer.from(privateKey, 'hex'), targetPublicKey),
      }
    },
  }),
]
