/** Seals each private message of a ceremony for the party that may open it. */
import { fromBase64Url, KeybayError, toBase64Url } from '@keybay/kernel/spec'
import {
  encode,
  erase,
  type Party,
  type SetPlan,
  type SubShare,
  sealContext,
  sealPrivate,
  subShareCodec,
} from '@keybay/waas/mpc'
import { partySchema, type RelayClient, type RelayConfiguration, type SealedSubShare } from '@keybay/waas/relay-client'
import { relayAnswerWrong, relayUnreachable } from '../errors/errors.js'

export type RelayKeys = ReadonlyMap<Party, Uint8Array>

/**
 * Fetches the sealing keys of both relays from R1.
 * Omits R2 unless the frame's host has pinned its key: R1 must not be able to play R2.
 * @throws KeybayError if the frame's host pinned another key
 */
export async function fetchRelayKeys(
  relay: Pick<RelayClient, 'get'>,
  pinned: readonly Pick<RelayConfiguration, 'party' | 'sealingKey'>[],
): Promise<RelayKeys> {
  const { party, sealingKey, peer } = await relay.get('/party', partySchema)
  const known = [{ party, sealingKey }, ...(peer ? [peer] : [])]
  for (const relay of known) {
    const expected = pinned.find(configured => configured.party === relay.party)?.sealingKey
    if (expected !== undefined && expected !== relay.sealingKey)
      throw new KeybayError(relayAnswerWrong, { detail: `another key of ${relay.party}` })
  }
  const trusted = known.filter(
    ({ party }) => party === 'R1' || pinned.some(relay => relay.party === party && relay.sealingKey),
  )
  return new Map(trusted.map(({ party, sealingKey }) => [party, fromBase64Url(sealingKey)]))
}

/** Seals the content, then erases it. */
function box(plan: SetPlan, key: Uint8Array, from: Party, to: Party, content: Uint8Array): SealedSubShare {
  const sealed = sealPrivate(key, sealContext(plan, from, to), content)
  erase(content)
  return { from, to, box: toBase64Url(sealed) }
}

function isRelay(party: Party): boolean {
  return party === 'R1' || party === 'R2'
}

/** Seals the sub-shares for relays and for other parties with a key. Omits the rest. */
export function sealFor(plan: SetPlan, keys: RelayKeys, subShares: readonly SubShare[]): readonly SealedSubShare[] {
  return subShares
    .filter(({ to }) => isRelay(to) || keys.has(to))
    .map(subShare => {
      const key = keys.get(subShare.to)
      // R1 omits the key of an R2 that it has not reached yet.
      if (!key) throw new KeybayError(relayUnreachable, { detail: `no key of ${subShare.to}` })
      return box(plan, key, subShare.from, subShare.to, encode(subShareCodec(plan.curve), subShare))
    })
}

/** Copies a sub-share, because the step that made it erases the original. */
export function copySubShare({ from, to, secret }: SubShare): SubShare {
  return { from, to, secret: new Uint8Array(secret) }
}

/** Returns the parties that the frame acts for: the device, and the backup until it is sealed. */
export function frameParties({ parties }: Pick<SetPlan, 'parties'>): readonly Party[] {
  return parties.filter(party => party !== 'R1' && party !== 'R2')
}
