/** What all ceremonies share: a step is taken once, together with its device signature; a repeat gets the same answer. */

import type * as v from 'valibot'
import type { Authority } from '../authority/authorize.js'
import { sha256 } from '../crypto/jwk.js'
import type { Call } from '../http/call.js'
import { peerUnavailable, RelayError } from '../http/errors.js'
import { parse, type Schema } from '../http/route.js'
import type { CeremonyRow } from '../store/ceremonies.js'
import { type Transaction, takeNonce } from '../store/sets.js'
import { showOwed } from './show.js'

/** ms that a ceremony may take: the user may have to save a file. */
export const CEREMONY_LIFETIME = 30 * 60_000
/** ms that a ceremony that is done stays: its last request may come again long after its answer was lost. */
export const DONE_LIFETIME = 30 * 86_400_000
/** R2 has agreed and waits for R1's word. */
export const CONFIRMED_LIFETIME = 365 * 86_400_000

/** Takes the device signature and does the writes, or neither. @throws the error of a replay */
export async function once(
  { services }: Call,
  { nonce }: Authority,
  write: (tx: Transaction) => Promise<void>,
): Promise<void> {
  return services.db.transaction(async tx => {
    if (!(await takeNonce(tx, nonce))) throw nonce.replayed()
    await write(tx)
  })
}

/** The answer of this step, when this very body has led to it already. */
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

/** R1 hands the call on, and reads the answer. */
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
    throw new RelayError(peerUnavailable)
  }
}

/** The same about a set that R2 should know: what it has missed of that comes first. */
export async function askPeerOf<S extends Schema>(
  call: Call,
  setId: string,
  schema: S,
  extra?: unknown,
  mfa?: string,
): Promise<v.InferOutput<S>> {
  await showOwed(call.services, setId)
  return askPeer(call, schema, extra, mfa)
}
