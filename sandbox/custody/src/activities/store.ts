/** Database writes shared by several activities. */
import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import type * as v from 'valibot'
import { apiKeys, authenticators, users } from '../db/schema.js'
import { alreadyExists, CustodyError, required } from '../http/errors.js'
import type { Credential } from '../protocol.js'
import { type AuthenticatorParams, readAttestation } from '../stamps/webauthn.js'
import type { apiKeyParams } from './fields.js'
import type { Running } from './kind.js'

type ApiKeyParams = v.InferOutput<typeof apiKeyParams>
type Place = Pick<Running, 'tx' | 'services' | 'now' | 'organizationId'>

/** @throws CustodyError when the user is not in the organization */
export async function getUser({ tx, organizationId }: Place, userId: string): Promise<typeof users.$inferSelect> {
  const [row] = await tx
    .select()
    .from(users)
    .where(and(eq(users.organizationId, organizationId), eq(users.id, userId)))
  return required(row, 'user')
}

export interface NewUser {
  readonly userName: string
  readonly userEmail?: string | undefined
  readonly apiKeys: readonly ApiKeyParams[]
  readonly authenticators: readonly AuthenticatorParams[]
}

export async function addUser(place: Place, { userName, userEmail, ...credentials }: NewUser): Promise<string> {
  const { tx, now, organizationId } = place
  const userId = randomUUID()
  await tx
    .insert(users)
    .values({ id: userId, organizationId, name: userName, email: userEmail ?? null, createdAt: now, updatedAt: now })
  for (const key of credentials.apiKeys) await addApiKey(place, userId, key)
  for (const authenticator of credentials.authenticators) await addAuthenticator(place, userId, authenticator)
  return userId
}

export async function addApiKey(
  { tx, now, organizationId }: Place,
  userId: string,
  { apiKeyName, publicKey, expirationSeconds }: Omit<ApiKeyParams, 'curveType'>,
  type: Credential = 'CREDENTIAL_TYPE_API_KEY_P256',
): Promise<string> {
  const [row] = await tx
    .insert(apiKeys)
    .values({
      id: randomUUID(),
      organizationId,
      userId,
      name: apiKeyName,
      publicKey,
      type,
      expirationSeconds: expirationSeconds ?? null,
      expiresAt: expirationSeconds === undefined ? null : now + expirationSeconds * 1000,
      usedAt: null,
      createdAt: now,
    })
    .onConflictDoNothing()
    .returning({ id: apiKeys.id })
  if (!row) throw new CustodyError(alreadyExists, { resource: 'api key' })
  return row.id
}

/** @throws CustodyError when the attestation is invalid or the passkey already exists */
export async function addAuthenticator(
  { tx, services, now, organizationId }: Place,
  userId: string,
  params: AuthenticatorParams,
): Promise<string> {
  const attestation = await readAttestation(services, params)
  const [row] = await tx
    .insert(authenticators)
    .values({ id: randomUUID(), organizationId, userId, ...attestation, createdAt: now })
    .onConflictDoNothing()
    .returning({ id: authenticators.id })
  if (!row) throw new CustodyError(alreadyExists, { resource: 'authenticator' })
  return row.id
}
