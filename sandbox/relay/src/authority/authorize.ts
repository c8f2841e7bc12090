/** Authorises a request, in order: token, session signature, ownership, device signature, state of the set. */

import type { PublicJwk } from '../crypto/jwk.js'
import { RelayError } from '../http/errors.js'
import type { Call } from '../http/route.js'
import type { AuditEntry } from '../store/audit.js'
import type { Nonce, SetRow } from '../store/sets.js'
import { type DeviceFacts, NONCE_LIFETIME, replayed, verifyDevice } from './device.js'
import { type Operation, type SessionFacts, type TokenFacts, verifySession, verifyToken } from './session.js'

/** Identity of the caller for audit entries. */
export type Actor = Pick<TokenFacts, 'userId' | 'sessionId' | 'jti'>

export interface Authority {
  readonly session: Actor
  readonly device: DeviceFacts
  readonly operation: Operation
  /** Device signature, used up together with the change that it allows. */
  readonly nonce: Nonce
}
/** Authority of a signed-in user, with the access token that second-factor checks need. */
export interface UserAuthority extends Authority {
  readonly session: SessionFacts
}
export interface SetAuthority extends UserAuthority {
  readonly row: SetRow
}

export function getNonce(call: Call, device: DeviceFacts): Nonce {
  return { id: device.nonce, expiresAt: call.services.clock.now() + NONCE_LIFETIME, replayed: () => replayed(call) }
}

/** Authorises a request by a device key that comes with the request or from a ceremony. */
export async function authorizeKey(
  call: Call,
  deviceKey: PublicJwk,
  operation: Operation,
  ids: { readonly walletId: string; readonly setId: string },
): Promise<UserAuthority> {
  const session = await verifySession(call, operation)
  const device = verifyDevice(call, deviceKey, { ...ids, ...operation, userId: session.userId })
  return { session, device, operation, nonce: getNonce(call, device) }
}

/**
 * Returns a set of the caller's own wallet.
 *
 * @throws RelayError `wallet_not_found` (for other users' wallets too), `set_not_found`
 */
export async function ownSet(call: Call, walletId: string, setId: string, recall = false): Promise<SetRow> {
  const { services, environment } = call
  const { userId } = await verifyToken(call)
  const row = await (recall ? services.sets.recall : services.sets.find)(environment.id, setId)
  if (row && row.walletId === walletId && row.userId === userId) return row
  throw new RelayError(
    (await services.wallets.isOwn(environment.id, userId, walletId)) ? 'set_not_found' : 'wallet_not_found',
  )
}

export interface SetRequest {
  readonly walletId: string
  readonly setId: string
  readonly op: string
  readonly hash: string
  /** Accepts the remembered row; a refusal based on it must be checked against the database. */
  readonly recall?: boolean
  /** Signing parties. */
  readonly signers?: (row: SetRow) => readonly string[]
}

/** Authorises a request by the registered key of a set. {@link checkRow} checks the row again where it is changed. */
export async function authorizeSet(call: Call, request: SetRequest): Promise<SetAuthority> {
  const { walletId, setId, op, hash, signers, recall } = request
  const row = await ownSet(call, walletId, setId, recall)
  checkHeld(row)
  const operation = { op, hash, address: row.address }
  const session = await verifySession(call, operation)
  const expected = { userId: session.userId, op, hash, walletId, setId, signers: signers?.(row) ?? [] }
  const device = verifyDevice(call, row.deviceKey, expected)
  return { row, session, device, operation, nonce: getNonce(call, device) }
}

/** Returns an audit entry with the facts of the caller. */
export function auditEntry(
  call: Call,
  { session, device, operation }: Authority,
  epoch: number,
  what: AuditEntry['what'],
  facts: Readonly<Record<string, string | number | boolean>> = {},
): AuditEntry {
  return {
    at: call.services.clock.now(),
    what,
    userId: session.userId,
    sessionId: session.sessionId,
    tokenId: session.jti,
    device: device.thumbprint,
    epoch,
    hash: operation.hash,
    ...facts,
  }
}

/** Errors thrown by {@link authorizeSet} and {@link checkRow}. */
export const setErrors = [
  'unauthorized',
  'invalid_session_signature',
  'invalid_device_signature',
  'wallet_not_found',
  'set_not_found',
  'set_revoked',
  'epoch_mismatch',
  'wallet_frozen',
  'wallet_quarantined',
  'share_lost',
  'device_locked',
  'blocked_user_cannot_transfer_wallet',
] as const

/**
 * Refuses a set that a restored relay cannot sign with. Comes before the device signature, since a restored row may have
 * an old device key.
 */
export function checkHeld({ status, quarantinedAt, lostAt }: SetRow): void {
  if (status === 'revoked') return
  if (quarantinedAt !== null) throw new RelayError('wallet_quarantined')
  if (lostAt !== null) throw new RelayError('share_lost')
}

/** Refuses a revoked, locked or frozen set, another device key, and an epoch other than the frame's. */
export function checkRow(call: Call, row: SetRow, device: DeviceFacts): void {
  if (row.status === 'revoked') throw new RelayError('set_revoked')
  if (row.blockedAt !== null) throw new RelayError('blocked_user_cannot_transfer_wallet')
  checkHeld(row)
  if (row.frozenAt !== null) throw new RelayError('wallet_frozen')
  if (row.thumbprint !== device.thumbprint)
    throw new RelayError('invalid_device_signature', { reason: 'signature', now: call.services.clock.now() })
  if (row.lockedAt !== null) throw new RelayError('device_locked')
  if (row.epoch !== device.epoch) throw new RelayError('epoch_mismatch', { epoch: row.epoch })
}
