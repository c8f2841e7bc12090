/** Release of a share from this party: sealed to a one-time key of the frame, bound to one request of one page. */
import { codecs, encode, erase, eraseShare, releaseContext, sealPrivate } from '@keybay/waas/mpc'
import * as v from 'valibot'
import { readJws } from '../authority/jws.js'
import { askSetPeer } from '../ceremonies/flow.js'
import { sha256 } from '../crypto/jwk.js'
import { RelayError } from '../http/errors.js'
import { base64url, exactBytes, toText, uuid } from '../http/fields.js'
import { type Call, parse } from '../http/route.js'
import type { SetRow } from '../store/sets.js'
import { getPublicSet, openShare } from '../store/shares.js'

/** Fields of a request for shares. */
export const releaseBody = {
  requestId: uuid,
  setId: uuid,
  sealingKey: exactBytes(32),
  hostOrigin: v.pipe(v.string(), v.maxLength(256)),
} as const
type ReleaseRequest = Pick<
  v.InferOutput<v.StrictObjectSchema<typeof releaseBody, undefined>>,
  'requestId' | 'sealingKey' | 'hostOrigin'
>
export const released = v.object({ shares: v.array(v.object({ party: v.picklist(['R1', 'R2']), box: base64url })) })
export type Released = v.InferOutput<typeof released>
/** Data that R2 needs from R1, since R2 never sees the token. */
const fromR1 = v.object({ factor: v.string() })

/**
 * Checks the page's origin against the verified session signature.
 *
 * @throws RelayError `invalid_request` for another origin
 */
export function checkHost(call: Call, hostOrigin: string): void {
  const said: unknown = Reflect.get(
    readJws(call.header('x-keybay-session'), 'keybay-session+jwt')?.claims ?? {},
    'origin',
  )
  if (said !== hostOrigin) throw new RelayError('invalid_request', { reason: 'hostOrigin' })
}

/** Returns the hash of the MFA token. R2 takes it from R1, and the box opens only if the frame has the same hash. */
export function getFactor({ fromPeer, header }: Call): string {
  if (fromPeer) return parse('peer', fromR1, fromPeer.extra).factor
  const token = header('x-keybay-mfa-token')
  return token === undefined ? '' : sha256(token)
}

/** Requests R2's share, if R2 is in the set; R2 makes all checks itself. */
export async function peerShares(
  call: Call,
  row: SetRow,
  factor: string,
  mfa: string | undefined,
): Promise<Released['shares']> {
  return call.services.party === 'R1' && getPublicSet(row).parties.includes('R2')
    ? (await askSetPeer(call, row.walletId, released, { factor }, mfa)).shares
    : []
}

/** This party's share, sealed. @param signs hash of what it is released to sign; absent for an export */
export function releaseShare(
  { services, environment }: Call,
  row: SetRow,
  { requestId, sealingKey, hostOrigin }: ReleaseRequest,
  { factor, signs }: { readonly factor: string; readonly signs?: string },
): Released['shares'][number] {
  const share = openShare(services.envelope, row)
  if (!share) throw new RelayError('set_revoked')
  const bytes = encode(codecs.keyShare, share)
  try {
    const context = releaseContext({
      party: services.party,
      requestId,
      environmentId: environment.id,
      userId: row.userId,
      walletId: row.walletId,
      setId: row.id,
      epoch: row.epoch,
      address: row.address,
      hostOrigin,
      factor,
      ...(signs !== undefined && { signs }),
    })
    return { party: services.party, box: toText(sealPrivate(sealingKey, context, bytes)) }
  } finally {
    erase(bytes)
    eraseShare(share)
  }
}
