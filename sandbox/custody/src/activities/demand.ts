/**
 * Credential requirements of activities. A key in a page's memory may read, create wallets and accounts, and sign.
 * Everything else requires a passkey signature over that request with user verification, whatever the quorum.
 */
import { and, eq, isNull } from 'drizzle-orm'
import type { Database } from '../db/open.js'
import { type activities, apiKeys, authenticators, organizations } from '../db/schema.js'
import { CustodyError, permissionDenied } from '../http/errors.js'
import type { ActivityKind, Stamp, Stamped } from './kind.js'

const REASONS = {
  passkey: 'Sign this request with a passkey: a key cannot do this.',
  verified: 'Sign this request with a passkey that verifies its user: a key cannot do this.',
} as const

/** Returns true when the stamp alone is enough for the activity. */
function meets({ needs }: ActivityKind, { credential, isVerified }: Stamp): boolean {
  if (needs === 'key') return true
  const isPasskey = credential === 'CREDENTIAL_TYPE_WEBAUTHN_AUTHENTICATOR'
  return isPasskey && (needs === 'passkey' || isVerified)
}

/** @throws CustodyError `PERMISSION_DENIED` that names the required stamp */
export async function assertDemand(kind: ActivityKind, stamped: Stamped, parameters: unknown): Promise<void> {
  if (kind.by !== undefined || meets(kind, stamped.stamp)) return
  if (!(await kind.isOwnAffair(stamped, parameters))) throw insufficient(kind)
}

/** Returns the error for a stamp that is too weak for the activity. */
export function insufficient({ needs }: ActivityKind): CustodyError {
  return new CustodyError(permissionDenied, { reason: REASONS[needs === 'passkey' ? 'passkey' : 'verified'] })
}

/**
 * Recognises a service that approves activities of other users, such as the product
 * API's approver: a root user whose quorum needs other users too, with an API key
 * that does not expire and no passkey. Alone it can only replace its own API keys.
 */
export async function isService({ tx, organizationId, stamp }: Stamped): Promise<boolean> {
  const { userId, credential, credentialId } = stamp
  if (credential !== 'CREDENTIAL_TYPE_API_KEY_P256') return false
  const [organization] = await tx.select().from(organizations).where(eq(organizations.id, organizationId))
  if (!organization || organization.rootThreshold < 2 || !organization.rootUserIds.includes(userId)) return false
  const isLasting = and(eq(apiKeys.id, credentialId), eq(apiKeys.userId, userId), isNull(apiKeys.expiresAt))
  if ((await tx.$count(apiKeys, isLasting)) === 0) return false
  return (await tx.$count(authenticators, eq(authenticators.userId, userId))) === 0
}

export interface Begun {
  readonly tx: Database
  readonly row: Pick<typeof activities.$inferSelect, 'organizationId' | 'userId' | 'parameters'>
  readonly kind: ActivityKind
  readonly approvals: readonly Stamp[]
}

/**
 * Returns true when a vote on an activity counts. A service's vote counts once the stamp of the user who began the
 * activity is enough by itself, and never for an activity that gives away the service's own power.
 */
export async function isCounted({ tx, row, kind, approvals }: Begun, stamp: Stamp): Promise<boolean> {
  if (meets(kind, stamp)) return true
  const { organizationId, userId, parameters } = row
  if (stamp.userId === userId || stamp.userId === kind.actsAs(parameters)) return false
  const isBegun = approvals.some(approval => approval.userId === userId && meets(kind, approval))
  return isBegun && isService({ tx, organizationId, stamp })
}
