/** Counts the shares of each dealing that the relays and the delegate have ever held. */
import { b64, unb64 } from '@keybay/sandbox-relay/testing/frame/request'
import { anyPoint, codecs, decode, encode, eraseShare } from '@keybay/waas/mpc'
import type { World } from './world.js'

type Holder = 'R1' | 'R2' | 'delegate'
/** Parties that must not make the key together; alone even less. */
const APART: readonly (readonly Holder[])[] = [
  ['R1', 'R2'],
  ['R1', 'delegate'],
  ['R2', 'delegate'],
]

/** Holders by public package. */
export type Holders = Map<string, Set<Holder>>

function note(holders: Holders, publicSet: string, holder: Holder): void {
  holders.set(publicSet, (holders.get(publicSet) ?? new Set()).add(holder))
}

/** @returns the pair that can compute a key with the shares that it has ever held */
export async function checkApart({ services, delegated }: World, holders: Holders): Promise<string | undefined> {
  for (const party of ['R1', 'R2'] as const) {
    // A lost share is of an earlier dealing than the row names, and was counted with it.
    const sql = 'select public_set from share_sets where share is not null and lost_at is null'
    const rows = await services.relays[party].read<{ public_set: string }>(sql)
    for (const { public_set } of rows) note(holders, public_set, party)
  }
  for (const { share } of delegated.values()) {
    const held = decode(codecs.keyShare, unb64(share), anyPoint)
    note(holders, b64(encode(codecs.shareSet, held.set)), 'delegate')
    eraseShare(held)
  }
  for (const [publicSet, held] of holders) {
    // A polynomial of n coefficients needs n shares.
    const threshold = decode(codecs.shareSet, unb64(publicSet), anyPoint).commitments.length
    const pair = APART.find(parties => parties.filter(party => held.has(party)).length >= threshold)
    if (pair) return `${pair.join(' and ')} can compute a key`
  }
  return undefined
}
