/** Finds a credential, creates it with a new user, or links it to an existing user. */
import { randomBytes, randomUUID } from 'node:crypto'
import type { AuthenticationMethod } from '@keybay/kernel/spec'
import type { SocialProfile } from '@keybay/social/server'
import { and, eq } from 'drizzle-orm'
import type { Database } from '../db/open.js'
import { credentials, passkeys, users } from '../db/schema.js'

export type CredentialRow = typeof credentials.$inferSelect

export interface ProvedCredential {
  readonly method: AuthenticationMethod
  /** Chain of a wallet, or the social provider; otherwise empty. */
  readonly provider: string
  readonly subject: string
  readonly name?: string | undefined
  readonly profile?: SocialProfile | undefined
  readonly passkey?: { readonly publicKey: string; readonly counter: number; readonly transports: string[] }
}

export async function findCredential(
  db: Database,
  environmentId: string,
  { method, provider, subject }: ProvedCredential,
): Promise<CredentialRow | undefined> {
  const [row] = await db
    .select()
    .from(credentials)
    .where(
      and(
        eq(credentials.environmentId, environmentId),
        eq(credentials.method, method),
        eq(credentials.provider, provider),
        eq(credentials.subject, subject),
      ),
    )
  return row
}

export interface Owner {
  readonly environmentId: string
  readonly userId: string
  /** In ms since epoch. */
  readonly now: number
}

/** Returns undefined if another user already has the credential. */
export async function addCredential(
  db: Database,
  { environmentId, userId, now }: Owner,
  { method, provider, subject, name, profile, passkey }: ProvedCredential,
): Promise<CredentialRow | undefined> {
  const id = randomUUID()
  const [row] = await db
    .insert(credentials)
    .values({
      id,
      environmentId,
      userId,
      method,
      provider,
      subject,
      name: name ?? null,
      profile: profile ?? null,
      createdAt: now,
      lastUsedAt: now,
    })
    .onConflictDoNothing()
    .returning()
  if (row && passkey) await db.insert(passkeys).values({ credentialId: id, ...passkey })
  return row
}

/** Records a sign-in with a known credential. */
export async function recordUse(
  db: Database,
  { id }: CredentialRow,
  { profile, name }: ProvedCredential,
  now: number,
): Promise<void> {
  // Names of a social account can change at the provider.
  const profileUpdate = profile && { profile, name: name ?? null }
  await db
    .update(credentials)
    .set({ lastUsedAt: now, ...profileUpdate })
    .where(eq(credentials.id, id))
}

/**
 * Creates a user who has the credential.
 * @param passkeyHandle user handle, when signing up with a passkey
 * @returns false if a user has it already; of two concurrent calls one creates the user
 */
export function createUser(
  db: Database,
  { environmentId, now }: Omit<Owner, 'userId'>,
  proved: ProvedCredential,
  passkeyHandle: string = randomBytes(32).toString('base64url'),
): Promise<boolean> {
  const userId = randomUUID()
  return db.transaction(async tx => {
    await tx
      .insert(users)
      .values({ id: userId, environmentId, metadata: {}, passkeyHandle, createdAt: now, lastSignInAt: now })
    const row = await addCredential(tx, { environmentId, userId, now }, proved)
    if (!row) await tx.delete(users).where(eq(users.id, userId))
    return row !== undefined
  })
}
