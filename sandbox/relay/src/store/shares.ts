/** Sealed shares of this party. */

import type { Envelope } from '@keybay/sandbox-service/envelope'
import { anyPoint, codecs, decode, encode, erase, type KeyShare, type ShareSet } from '@keybay/waas/mpc'
import { Cache } from '../cache.js'
import { toBytes } from '../http/fields.js'
import type { SetRow } from './sets.js'

function getContext(environmentId: string, setId: string, epoch: number): string {
  return `share ${environmentId} ${setId} ${epoch}`
}

export function sealShare(envelope: Envelope, environmentId: string, share: KeyShare): string {
  const bytes = encode(codecs.keyShare, share)
  const sealed = envelope.seal(bytes, getContext(environmentId, share.set.setId, share.set.epoch))
  erase(bytes)
  return sealed
}

/** Public parts of shares by their sealed text, which opens to the same bytes each time. */
const publicParts = new Cache<Omit<KeyShare, 'secret'>>()
/** Length of the secret, which ends an encoded share. */
const SECRET_BYTES = 32

/** Opens the share, which the caller must erase. Returns undefined once the share was erased for good. */
export function openShare(
  envelope: Envelope,
  row: Pick<SetRow, 'id' | 'environmentId' | 'epoch' | 'share'>,
): KeyShare | undefined {
  if (row.share === null) return undefined
  const bytes = envelope.open(row.share, getContext(row.environmentId, row.id, row.epoch))
  const known = publicParts.get(row.share)
  // The points were checked before the share was sealed.
  const share = known ? { ...known, secret: bytes.slice(-SECRET_BYTES) } : decode(codecs.keyShare, bytes, anyPoint)
  if (!known) publicParts.set(row.share, { set: share.set, party: share.party })
  erase(bytes)
  return share
}

const setCache = new Cache<ShareSet>()

export function getPublicSet({ publicSet }: SetRow): ShareSet {
  return setCache.get(publicSet) ?? setCache.set(publicSet, decode(codecs.shareSet, toBytes(publicSet), anyPoint))
}
