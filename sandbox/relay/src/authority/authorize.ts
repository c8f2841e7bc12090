/** The whole authority of a request, in order: token, session signature, ownership, device signature, state of the set. */

import type { PublicJwk } from '../crypto/jwk.js'
import type { Call } from '../http/call.js'
import {
  deviceLocked,
  epochMismatch,
  invalidDeviceSignature,
  invalidSessionSignature,
  RelayError,
  setNotFound,
  setRevoked,
  unauthorized,
  walletFrozen,
  walletNotFound,
} from '../http/errors.js'
import type { Nonce, SetRow } from '../store/sets.js'
import { type DeviceFacts, NONCE_LIFETIME, replayed, verifyDevice } from './device.js'
import { type Operation, verifySession } from './session.js'
import { type TokenFacts, verifyToken } from './token.js'

/** Who asked, for the record of it. */
export type Actor = Pick<TokenFacts, 'userId' | 'sessionId' | 'jti'>

export interface Authority {
  readonly session: Actor
  readonly device: DeviceFacts
  readonly operation: Operation
  /** The device signature, to be taken with what it allows. */
  readonly nonce: Nonce
}
/** A user's: the token is there, and with it the second factor. */
export interface PersonAuthority extends Authority {
  readonly session: TokenFacts
}
export interface SetAuthority extends PersonAuthority {
  readonly row: SetRow
}

export function nonceOf(call: Call, device: DeviceFacts): Nonce {
  return {
    id: device.nonce,
    expiresAt: call.services.clock.now() + NONCE_LIFETIME,
    replayed: () => replayed(call),
  }
}

/** For a key that the request itself brings, or a ceremony holds. */
export async function authorizeKey(
  call: Call,
  deviceKey: PublicJwk,
  operation: Operation,
  ids: { readonly walletId: string; readonly setId: string },
): Promise<PersonAuthority> {
  const session = await verifySession(call, operation)
  const device = verifyDevice(call, deviceKey, { ...ids, ...operation, userId: session.userId })
  return { session, device, operation, nonce: nonceOf(call, device) }
}

/** A set of the caller's own wallet. @throws RelayError `wallet_not_found` (somebody else's too), `set_not_found` */
export async function ownSet(call: Call, walletId: string, setId: string, recall = false): Promise<SetRow> {
  const { services, environment } = call
  const { userId } = await verifyToken(call)
  const row = await (recall ? services.sets.recall : services.sets.find)(environment.id, setId)
  if (row && row.walletId === walletId && row.userId === userId) return row
  throw new RelayError((await services.wallets.isOwn(environment.id, userId, walletId)) ? setNotFound : walletNotFound)
}

export interface SetRequest {
  readonly walletId: string
  readonly setId: string
  readonly op: string
  readonly hash: string
  /** The row as it was last seen will do: whoever is refused by it has it read anew. */
  readonly recall?: boolean
  /** Parties that sign. */
  readonly signers?: (row: SetRow) => readonly string[]
}

/** For the registered key of a set. What of the row may change meanwhile, {@link checkRow} checks again where it is changed. */
export async function authorizeSet(call: Call, request: SetRequest): Promise<SetAuthority> {
  const { walletId, setId, op, hash, signers, recall } = request
  const row = await ownSet(call, walletId, setId, recall)
  const operation = { op, hash, address: row.address }
  const session = await verifySession(call, operation)
  const wanted = { userId: session.userId, op, hash, walletId, setId, signers: signers?.(row) ?? [] }
  const device = verifyDevice(call, row.deviceKey, wanted)
  return { row, session, device, operation, nonce: nonceOf(call, device) }
}

/** What {@link authorizeSet} and {@link checkRow} refuse with. */
export const setErrors = [
  unauthorized,
  invalidSessionSignature,
  invalidDeviceSignature,
  walletNotFound,
  setNotFound,
  setRevoked,
  epochMismatch,
  walletFrozen,
  deviceLocked,
] as const

/** Revoked, locked, frozen, or at another epoch than the frame. */
export function checkRow(call: Call, row: SetRow, device: DeviceFacts): void {
  if (row.status === 'revoked') throw new RelayError(setRevoked)
  if (row.frozenAt !== null) throw new RelayError(walletFrozen)
  if (row.thumbprint !== device.thumbprint)
    throw new RelayError(invalidDeviceSignature, { reason: 'signature', now: call.services.clock.now() })
  if (row.lockedAt !== null) throw new RelayError(deviceLocked)
  if (row.epoch !== device.epoch) throw new RelayError(epochMismatch, { epoch: row.epoch })
}
