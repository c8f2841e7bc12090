/** Private messages of a ceremony, each in a box that only its party can open, whoever carries it. */
import { KeybayError } from '@keybay/kernel'
import {
  decode,
  encode,
  erase,
  openPrivate,
  type Party,
  type SealingKeyPair,
  type SetPlan,
  type SubShare,
  sealContext,
  sealPrivate,
  subShareCodec,
} from '../../mpc/index.js'
import type { RelayConfiguration } from '../boot/configuration.js'
import { fromBase64Url, toBase64Url } from '../bytes.js'
import { relayAnswerWrong, relayUnreachable } from '../errors.js'
import { partySchema, type SealedSubShare } from '../relay/answers.js'
import type { RelayClient } from '../relay/client.js'

/** Party → the key that is sealed for. */
export type RelayKeys = ReadonlyMap<Party, Uint8Array>

/** Of both relays, as R1 publishes them. @throws KeybayError where the frame's host has pinned another: R1 may not read for R2 */
export async function fetchRelayKeys(
  relay: Pick<RelayClient, 'get'>,
  pinned: readonly Pick<RelayConfiguration, 'party' | 'sealingKey'>[],
): Promise<RelayKeys> {
  const { party, sealingKey, peer } = await relay.get('/party', partySchema)
  const known = [{ party, sealingKey }, ...(peer ? [peer] : [])]
  for (const one of known) {
    const own = pinned.find(configured => configured.party === one.party)?.sealingKey
    if (own !== undefined && own !== one.sealingKey)
      throw new KeybayError(relayAnswerWrong, { detail: `another key of ${one.party}` })
  }
  return new Map(known.map(one => [one.party, fromBase64Url(one.sealingKey)]))
}

/** Seals, and erases what was sealed. */
function box(plan: SetPlan, key: Uint8Array, from: Party, to: Party, content: Uint8Array): SealedSubShare {
  const sealed = sealPrivate(key, sealContext(plan, from, to), content)
  erase(content)
  return { from, to, box: toBase64Url(sealed) }
}

function isRelay(party: Party): boolean {
  return party === 'R1' || party === 'R2'
}

/** The sub-shares for relays, and for whom else there is a key, sealed; those for others are left out. */
export function sealFor(plan: SetPlan, keys: RelayKeys, subShares: readonly SubShare[]): readonly SealedSubShare[] {
  return subShares
    .filter(({ to }) => isRelay(to) || keys.has(to))
    .map(subShare => {
      const key = keys.get(subShare.to)
      // R1 leaves out the key of an R2 that it has not reached yet.
      if (!key) throw new KeybayError(relayUnreachable, { detail: `no key of ${subShare.to}` })
      return box(plan, key, subShare.from, subShare.to, encode(subShareCodec(plan.curve), subShare))
    })
}

/** What is in a box: bytes that the caller erases. */
export function openBox(plan: SetPlan, pair: SealingKeyPair, { from, to, box: sealed }: SealedSubShare): Uint8Array {
  return openPrivate(pair, sealContext(plan, from, to), fromBase64Url(sealed))
}

/** The sub-shares in boxes. That a box holds another party's is refused. */
export function openSubShares(
  plan: SetPlan,
  pair: SealingKeyPair,
  boxes: readonly SealedSubShare[],
): readonly SubShare[] {
  return boxes.map(one => {
    const bytes = openBox(plan, pair, one)
    const subShare = decode(subShareCodec(plan.curve), bytes)
    erase(bytes)
    if (subShare.from === one.from && subShare.to === one.to) return subShare
    erase(subShare.secret)
    throw new KeybayError(relayAnswerWrong, { detail: `a box of ${one.from}` })
  })
}

/** A copy: the step that made a sub-share erases it. */
export function copySubShare({ from, to, secret }: SubShare): SubShare {
  return { from, to, secret: secret.slice() }
}

/** The parties that the frame plays: the device, and the backup until it is sealed. */
export function frameParties({ parties }: Pick<SetPlan, 'parties'>): readonly Party[] {
  return parties.filter(party => party !== 'R1' && party !== 'R2')
}
