/** Proofs that the frame holds the share of each of its parties. With fewer, it may know a key's address and no more. */
import { type ShareSet, verifyShareProof } from '@keybay/waas/mpc'
import * as v from 'valibot'
import { bytes } from '../http/fields.js'
import { step } from './messages.js'
import { isFrame } from './plan.js'

export const proofs = v.pipe(v.array(bytes(128)), v.maxLength(3))

/** @param list one proof for each party of the frame, in the set's order. @throws CeremonyFault */
export function checkProofs(set: ShareSet, context: Uint8Array, list: readonly Uint8Array[]): void {
  for (const [index, party] of set.parties.filter(isFrame).entries())
    step(() => verifyShareProof(set, party, context, list[index] ?? new Uint8Array()))
}

/** Returns the context of a creation's proofs: another device cannot send them as its own. @param device thumbprint */
export function creationContext(ceremonyId: string, transcript: string, device: string): Uint8Array {
  return Buffer.from(JSON.stringify(['keybay-creation', ceremonyId, transcript, device]))
}
