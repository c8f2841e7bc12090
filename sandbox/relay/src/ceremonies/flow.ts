/** Shared by all ceremonies: a step runs once, together with its device signature; a repeat gets the same response. */

import type * as v from 'valibot'
import type { Authority } from '../authority/authorize.js'
import { sha256 } from '../crypto/jwk.js'
import { RelayError } from '../http/errors.js'
import { type Call, parse, type Schema } from '../http/route.js'
import type { CeremonyRow } from '../store/ceremonies.js'
import { type Transaction, takeNonce } from '../store/sets.js'
import { deliver } from './witness.js'

/** Lifetime of a ceremony, in ms; the user may have to save a file. */
export const CEREMONY_LIFETIME = 30 * 60_000
/** Lifetime of a finished ceremony, in ms: its last request may be repeated long after the response was lost. */
export const DONE_LIFETIME = 30 * 86_400_000
/** Lifetime of a ceremony that waits at R2 for R1's record, in ms. */
export const CONFIRMED_LIFETIME = 365 * 86_400_000

/** Uses up the device signature and does the writes, or neither. @throws the error of a replay */
export async function once(
  { services }: Call,
  { nonce }: Authority,
  write: (tx: Transaction) => Promise<unknown>,
): Promise<void> {
  return services.db.transaction(async tx => {
    if (!(await takeNonce(tx, nonce))) throw nonce.replayed()
    await write(tx)
  })
}

/** Returns the stored response when this exact body already led to this step. */
export async function answered(
  call: Call,
  authority: Authority,
  row: CeremonyRow | undefined,
  step: string,
): Promise<unknown> {
  if (row?.step !== step || row.bodyHash !== sha256(call.rawBody)) return undefined
  await once(call, authority, async () => undefined)
  return JSON.parse(row.answer)
}

/** Forwards the call from R1 to R2 and reads the response. */
export async function askPeer<S extends Schema>(
  call: Call,
  schema: S,
  extra: unknown = {},
  mfa?: string,
): Promise<v.InferOutput<S>> {
  const answer = await call.services.peer.ask(call, extra, mfa)
  try {
    return parse('peer', schema, answer)
  } catch {
    throw new RelayError('peer_unavailable')
  }
}

/** Forwards a call about a wallet, after sending R2 the records that it missed. */
export async function askSetPeer<S extends Schema>(
  call: Call,
  walletId: string,
  schema: S,
  extra?: unknown,
  mfa?: string,
): Promise<v.InferOutput<S>> {
  await deliver(call.services, walletId, call.requestId)
  return askPeer(call, schema, extra, mfa)
}
