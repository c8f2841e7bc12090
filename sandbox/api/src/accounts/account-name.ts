/** The name of an account in the wallet's window, by which the user knows whose wallet it is. */
import { asc, eq } from 'drizzle-orm'
import { credentials, users } from '../db/schema.js'
import type { Services } from '../services.js'
import type { CredentialRow } from './credentials.js'

/** The frame shows no longer name. */
const MAX_LENGTH = 256

/** Removes what would hide a name or turn its letters round. @returns undefined where nothing is left */
function toReadable(name: string | null | undefined): string | undefined {
  return name?.replace(/\p{C}/gu, '').trim().slice(0, MAX_LENGTH) || undefined
}

/** Returns the first name that can be read. */
export function getReadableName(names: readonly (string | null | undefined)[]): string | undefined {
  return names.map(toReadable).find(name => name !== undefined)
}

/** Names a social account. What the provider has not verified anyone may choose, so the provider's ID stands beside it. */
function getSocialName({ provider, name, profile }: CredentialRow): string | undefined {
  if (profile?.emailVerified && profile.email) return profile.email
  const chosen = getReadableName([profile?.username, profile?.name, name])
  return chosen === undefined ? provider : `${provider}: ${chosen}`
}

/**
 * Returns the name of what signs in: an email address or phone number first, then what else was proved. A page can change the
 * username and the names of passkeys at any time, so they count only where there is nothing else.
 */
export async function getAccountName({ db }: Pick<Services, 'db'>, userId: string): Promise<string | undefined> {
  const [user] = await db.select({ username: users.username }).from(users).where(eq(users.id, userId))
  const rows = await db
    .select()
    .from(credentials)
    .where(eq(credentials.userId, userId))
    .orderBy(asc(credentials.createdAt), asc(credentials.id))
  const first = (method: CredentialRow['method']) => rows.find(row => row.method === method)
  const social = first('oauth')
  return getReadableName([
    first('email')?.subject,
    first('phoneNumber')?.subject,
    social && getSocialName(social),
    first('blockchain')?.subject,
    user?.username,
    first('passkey')?.name,
    first('externalUser')?.subject,
  ])
}
