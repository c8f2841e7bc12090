/** Links credentials to the signed-in user, and merges two users that prove to be the same user. */
import {
  accountAlreadyLinked,
  accountAlreadyLinkedToDifferentProfile,
  emailAlreadyExists,
  mergeAccountsConfirmation,
  mergeAccountsInvalid,
} from '@keybay/kernel/spec'
import { and, eq, inArray, isNotNull } from 'drizzle-orm'
import * as v from 'valibot'
import { hasOrganization } from '../custody/organizations.js'
import type { Database } from '../db/open.js'
import { backups, credentials, mfaDevices, sessions, users } from '../db/schema.js'
import { findEmbeddedWallet, hasEmbeddedWallets } from '../embedded/wallets.js'
import type { ActiveSession, Call } from '../http/call.js'
import {
  ApiError,
  credentialIsFactor,
  credentialIsWallet,
  credentialNotFound,
  invalidPasskey,
  lastCredential,
  serviceUnavailable,
} from '../http/errors.js'
import { askRelays } from '../remote/operator-messages.js'
import { getMailboxes, moveEvents, recordEvent, type SecurityEvent } from '../security-log/events.js'
import { assertNotBlocked } from './blocking.js'
import { begin, consume, peek } from './ceremonies.js'
import { addCredential, type CredentialRow, findCredential, type ProvedCredential } from './credentials.js'
import { isUsable } from './distinct.js'
import { type CredentialView, credentialView, getDevices } from './user-view.js'

const MERGE_LIFETIME = 10 * 60_000

type SignedIn = Call & { readonly session: ActiveSession }

/**
 * Links a proved credential to the signed-in user.
 * @throws ApiError `account_already_linked` when the user has it, `merge_accounts_confirmation` (with `mergeId`) when
 * another user has it, `email_already_exists` or `merge_accounts_invalid` where these two cannot become one,
 * `invalid_passkey` for a new passkey with the id of another user's
 */
export async function link(call: SignedIn, proved: ProvedCredential): Promise<CredentialView> {
  const { services, environment, session } = call
  const owner = { environmentId: environment.id, userId: session.userId, now: services.clock.now() }
  const added = await services.db.transaction(async tx => {
    const row = await addCredential(tx, owner, proved)
    if (row) await recordEvent(call, tx, credentialEvent('credential-added', row))
    return row
  })
  if (added) return credentialView(added)
  const taken = await findCredential(services.db, environment.id, proved)
  // Another request has just unlinked the credential: the caller can retry.
  if (!taken) throw new ApiError(credentialNotFound)
  if (taken.userId === session.userId) throw new ApiError(accountAlreadyLinked)
  // A new passkey has no attestation, so a caller who has seen another user's passkey ID can register it as a new one.
  if (proved.passkey) throw new ApiError(invalidPasskey)
  if (!environment.merge) {
    const errorsByMethod = { email: emailAlreadyExists, oauth: accountAlreadyLinkedToDifferentProfile } as const
    throw new ApiError(
      proved.method === 'email' || proved.method === 'oauth' ? errorsByMethod[proved.method] : mergeAccountsInvalid,
    )
  }
  await assertNotBlocked(services.db, taken.userId)
  await assertMergeable(services.db, environment.id, { userId: session.userId, otherUserId: taken.userId })
  const ceremony = await begin(call, {
    kind: 'merge',
    thumbprint: session.thumbprint,
    userId: session.userId,
    lifetime: MERGE_LIFETIME,
    data: { otherUserId: taken.userId, credentialId: taken.id },
  })
  throw new ApiError(mergeAccountsConfirmation, { mergeId: ceremony.id, expiresAt: ceremony.expiresAt })
}

/** The mail goes to every mailbox that the user has, and had, but not to one that this change adds. */
function credentialEvent(
  kind: 'credential-added' | 'credential-removed',
  { userId, method, provider, subject }: CredentialRow,
): SecurityEvent {
  const mailbox = method === 'email' && kind === 'credential-added' ? subject : undefined
  return { userId, kind, detail: provider || method, notice: { notTo: mailbox } }
}

/** Reasons why two users cannot be merged, as `details.reason`, each with what to do about it. */
const MERGE_REFUSALS = {
  mfa: 'The other account has a second factor. Sign in to that account and add this sign-in method there.',
  wallet:
    'The other account has wallets or wallet backups, which a merge would leave without an owner. Sign in to that account and add this sign-in method there.',
  deletion: 'One of the two accounts is going to be deleted. Sign in to it and keep it first, then merge.',
} as const

function refuseMerge(reason: keyof typeof MERGE_REFUSALS): ApiError {
  return new ApiError({ ...mergeAccountsInvalid, message: MERGE_REFUSALS[reason] }, { reason })
}

interface MergePair {
  readonly userId: string
  readonly otherUserId: string
}

/**
 * Refuses a merge that would bypass the other user's second factor, which one credential does not prove, or lose the
 * other user's wallets and the backups that open them.
 * @throws ApiError `merge_accounts_invalid`
 */
async function assertMergeable(db: Database, environmentId: string, { userId, otherUserId }: MergePair): Promise<void> {
  const second = and(eq(mfaDevices.userId, otherUserId), isNotNull(mfaDevices.confirmedAt))
  if ((await db.$count(mfaDevices, second)) > 0) throw refuseMerge('mfa')
  const hasWallets =
    (await hasEmbeddedWallets(db, otherUserId)) ||
    (await db.$count(backups, eq(backups.userId, otherUserId))) > 0 ||
    (await hasOrganization(db, { environmentId, userId: otherUserId }))
  if (hasWallets) throw refuseMerge('wallet')
  const leaving = and(inArray(users.id, [userId, otherUserId]), isNotNull(users.deletesAt))
  if ((await db.$count(users, leaving)) > 0) throw refuseMerge('deletion')
}

/**
 * Refuses a merge of a user who has wallets at a relay, also those that an API restored from a backup does not know.
 * A relay reports a new wallet before it creates it, so only older ones need to be asked for.
 * @throws ApiError `merge_accounts_invalid`, `service_unavailable` when a relay does not answer
 */
async function assertNoWalletsAtRelays({ services, environment }: Call, userId: string): Promise<void> {
  const answers = await askRelays(services, { environmentId: environment.id, userId, kind: 'export' })
  for (const [index, answer] of answers.entries()) {
    const { success, output } = v.safeParse(relayWallets, answer)
    if (!success) throw new ApiError(serviceUnavailable, { service: services.relays[index] ?? '' })
    if (output.wallets.length > 0) throw refuseMerge('wallet')
  }
}
const relayWallets = v.object({ wallets: v.array(v.unknown()) })

/**
 * Moves all credentials to the signed-in user, and removes the other.
 * @throws ApiError `merge_accounts_invalid`, `service_unavailable`, after which the same merge can be confirmed again
 */
export async function confirmMerge(call: SignedIn, mergeId: string): Promise<void> {
  const { services, environment, session } = call
  const key = { id: mergeId, kind: 'merge', thumbprint: session.thumbprint } as const
  const ceremony = await peek(call, key)
  const { otherUserId, credentialId } = ceremony?.data ?? {}
  if (ceremony?.userId !== session.userId || typeof otherUserId !== 'string' || typeof credentialId !== 'string') {
    throw new ApiError(mergeAccountsInvalid)
  }
  await assertNoWalletsAtRelays(call, otherUserId)
  if (!(await consume(call, key))) throw new ApiError(mergeAccountsInvalid)
  await services.db.transaction(async tx => {
    // Lock in a fixed order, so that two opposite merges do not deadlock.
    for (const id of [session.userId, otherUserId].sort()) {
      const [row] = await tx.select().from(users).where(eq(users.id, id)).for('update')
      if (!row) throw new ApiError(mergeAccountsInvalid)
    }
    await assertNotBlocked(tx, otherUserId)
    // Check under the lock, because confirming a second factor takes the same lock.
    await assertMergeable(tx, environment.id, { userId: session.userId, otherUserId })
    const [still] = await tx
      .select()
      .from(credentials)
      .where(and(eq(credentials.id, credentialId), eq(credentials.userId, otherUserId)))
    if (!still) throw new ApiError(mergeAccountsInvalid)
    const alsoTo = await getMailboxes(tx, otherUserId)
    await recordEvent(call, tx, { userId: session.userId, kind: 'accounts-merged', notice: { alsoTo } })
    await moveEvents(tx, otherUserId, session.userId)
    await tx.update(credentials).set({ userId: session.userId }).where(eq(credentials.userId, otherUserId))
    await tx.delete(users).where(eq(users.id, otherUserId))
  })
}

/** @throws ApiError `credential_not_found`, `credential_is_wallet`, `last_credential`, `credential_is_factor` */
export async function unlink(call: SignedIn, credentialId: string): Promise<void> {
  const { services, session } = call
  await services.db.transaction(async tx => {
    // Lock the user, so that two concurrent calls cannot remove the last two credentials.
    await tx.select().from(users).where(eq(users.id, session.userId)).for('update')
    const all = await tx.select().from(credentials).where(eq(credentials.userId, session.userId))
    const credential = all.find(({ id }) => id === credentialId)
    if (!credential)
      throw new ApiError(
        (await findEmbeddedWallet(tx, session.userId, credentialId)) ? credentialIsWallet : credentialNotFound,
      )
    if (all.length === 1) throw new ApiError(lastCredential)
    const rest = all.filter(way => way !== credential)
    const devices = await getDevices({ db: tx }, session.userId)
    if (devices.some(device => !isUsable(device, rest))) throw new ApiError(credentialIsFactor)
    // The session that unlinks goes on; the credential's other sessions end with it.
    const ownSession = and(eq(sessions.id, session.id), eq(sessions.credentialId, credentialId))
    await tx.update(sessions).set({ credentialId: null }).where(ownSession)
    await recordEvent(call, tx, credentialEvent('credential-removed', credential))
    await tx.delete(credentials).where(eq(credentials.id, credentialId))
  })
}
