/**
 * Two factors are two things: the mailbox that signed in is no second factor, by code or by a social account whose
 * provider verified its address; nor is the passkey that did, unless its authenticator verified the user this time.
 */
import { eq } from 'drizzle-orm'
import type { Database } from '../db/open.js'
import { credentials, type mfaDevices } from '../db/schema.js'
import type { ActiveSession, Call } from '../http/call.js'

type Device = typeof mfaDevices.$inferSelect

/** ID of the credential that counts as the first factor; absent where any factor is a second one. */
export type FirstFactor = string | undefined

async function getMailbox(db: Database, id: string | null): Promise<string | undefined> {
  const [row] = await db
    .select()
    .from(credentials)
    .where(eq(credentials.id, id ?? ''))
  if (row?.method === 'email') return row.subject
  return row?.profile?.emailVerified ? row.profile.email?.trim().toLowerCase() : undefined
}

/** Returns those of the devices that are another factor than the first one. */
export async function getDistinct(
  db: Database,
  devices: readonly Device[],
  first: FirstFactor,
): Promise<readonly Device[]> {
  const taken = first === undefined ? undefined : await getMailbox(db, first)
  if (taken === undefined) return devices
  const mailboxes = await Promise.all(devices.map(({ credentialId }) => getMailbox(db, credentialId)))
  return devices.filter(({ method }, index) => method !== 'email' || mailboxes[index] !== taken)
}

/** Returns what a session's own factors must differ from: nothing, where its sign-in already asked for two factors. */
export function getFirstFactor({ environment }: Call, { credentialId }: ActiveSession): FirstFactor {
  return environment.mfa.atSignIn ? undefined : (credentialId ?? undefined)
}
