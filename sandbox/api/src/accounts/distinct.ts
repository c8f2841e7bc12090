/**
 * Two factors are two things: the mailbox that signed in is no second factor, by code or by a social account whose
 * provider verified its address; nor is the passkey that did, unless its authenticator verified the user this time.
 */
import { eq } from 'drizzle-orm'
import type { Database } from '../db/open.js'
import { credentials, type mfaDevices } from '../db/schema.js'
import type { ActiveSession } from '../http/call.js'
import type { CredentialRow } from './credentials.js'

type Device = typeof mfaDevices.$inferSelect

/**
 * ID of the credential that counts as the first factor; undefined where any factor is a second one, null if the session
 * has unlinked its credential: it could have been any mailbox.
 */
export type FirstFactor = string | null | undefined

/** Hosts at which dots in an address mean nothing. */
const WITHOUT_DOTS = new Set(['gmail.com', 'googlemail.com'])

/** Returns the same text for every spelling of a mailbox, by tag (`ann+news@…`) or, at Gmail, by dots. */
function getMailboxName(address: string): string {
  const [name = '', host = ''] = address.trim().toLowerCase().split('@')
  const user = name.replace(/\+.*/, '')
  return WITHOUT_DOTS.has(host) ? `${user.replaceAll('.', '')}@gmail.com` : `${user}@${host}`
}

/** Returns the mailbox that a credential rests on, if it is one. */
function getMailbox({ method, subject, profile }: CredentialRow): string | undefined {
  const address = method === 'email' ? subject : profile?.emailVerified ? profile.email : undefined
  return address === undefined ? undefined : getMailboxName(address)
}

/** Returns whether a user who has these ways to sign in can prove the device, and it differs from one of them. */
export function isUsable(
  { method, credentialId }: Pick<Device, 'method' | 'credentialId'>,
  ways: readonly CredentialRow[],
): boolean {
  if (method === 'totp') return true
  if (method === 'passkey') return ways.some(way => way.method === 'passkey')
  const mailbox = ways.find(({ id }) => id === credentialId)
  return mailbox !== undefined && ways.some(way => getMailbox(way) !== getMailbox(mailbox))
}

async function findMailbox(db: Database, credentialId: string | null): Promise<string | undefined> {
  const [row] = await db
    .select()
    .from(credentials)
    .where(eq(credentials.id, credentialId ?? ''))
  return row && getMailbox(row)
}

/** Returns those of the devices that are another factor than the first one. */
export async function getDistinct(
  db: Database,
  devices: readonly Device[],
  first: FirstFactor,
): Promise<readonly Device[]> {
  if (first === null) return devices.filter(({ method }) => method !== 'email')
  const taken = first === undefined ? undefined : await findMailbox(db, first)
  if (taken === undefined) return devices
  const mailboxes = await Promise.all(devices.map(({ credentialId }) => findMailbox(db, credentialId)))
  return devices.filter(({ method }, index) => method !== 'email' || mailboxes[index] !== taken)
}

/** Returns what a session's own factors must differ from: nothing, if its sign-in has proved two factors. */
export function getFirstFactor({ credentialId, hasSecondFactor }: ActiveSession): FirstFactor {
  return hasSecondFactor ? undefined : credentialId
}
