/** Requests the relays' shares for one operation, sealed for a key that exists only during that request. */
import { fromBase64Url, KeybayError, sha256, toBase64Url, utf8 } from '@keybay/kernel/spec'
import {
  checkShare,
  codecs,
  decode,
  encode,
  erase,
  eraseShare,
  type KeyShare,
  openPrivate,
  releaseContext,
  sealingKeyPair,
} from '@keybay/waas/mpc'
import * as v from 'valibot'
import { relayAnswerWrong } from '../errors/errors.js'
import type { KeptSet } from '../store/kept.js'
import { getDevice, type Job } from './job.js'

const bytes = v.pipe(v.string(), v.maxLength(65_536), v.regex(/^[\w-]*$/))
const releasedSchema = v.object({
  shares: v.pipe(v.array(v.object({ party: v.picklist(['R1', 'R2']), box: bytes })), v.minLength(1), v.maxLength(2)),
  sealedSeed: v.nullish(bytes),
  /** Digest that the relay computed itself and would sign. */
  digest: v.optional(bytes),
})

interface ReleasedShares {
  /** Shares of the relays, each checked against our set. The caller erases them. */
  readonly shares: readonly KeyShare[]
  /** Sealed seed. Undefined if the key was never whole. */
  readonly sealedSeed: Uint8Array | undefined
  readonly digest: string | undefined
}
interface Purpose {
  readonly path: string
  readonly body: object
  /** Hash of the content to sign. An export has none. */
  readonly signs?: string
}
const EXPORT: Purpose = { path: 'export', body: {} }

/**
 * Requests the relays' shares. The user must have agreed, and `job` must carry the second factor.
 * @throws KeybayError of the relay; `frame_relay_answer_wrong`, `mpc_seal_unreadable`, `mpc_share_invalid`
 */
export async function releaseShares(
  job: Job,
  stored: KeptSet,
  ownShare: KeyShare,
  { path, body, signs }: Purpose = EXPORT,
): Promise<ReleasedShares> {
  const { frame, authority, user } = job
  const { walletId, setId, address } = stored
  const pair = sealingKeyPair()
  const requestId = crypto.randomUUID()
  const { hostOrigin, configuration } = frame
  try {
    const answer = await frame.relay.post({
      path: `/wallets/${walletId}/${path}`,
      body: { requestId, setId, sealingKey: toBase64Url(pair.publicKey), hostOrigin, ...body },
      answer: releasedSchema,
      authority,
      device: { ...getDevice(stored), consent: true, ...(signs !== undefined && { signers: getSigners(ownShare) }) },
    })
    const { mfaToken } = authority
    const facts = {
      requestId,
      environmentId: configuration.environmentId,
      userId: user,
      walletId,
      setId,
      epoch: stored.share.epoch,
      address,
      hostOrigin,
      signs,
      factor: mfaToken === undefined ? '' : toBase64Url(await sha256(utf8(mfaToken))),
    }
    const shares = answer.shares.map(({ party, box }) => {
      const opened = openPrivate(pair, releaseContext({ ...facts, party }), fromBase64Url(box))
      const share = decode(codecs.keyShare, opened)
      erase(opened)
      return checked(share, party, ownShare)
    })
    const { sealedSeed, digest } = answer
    return { shares, sealedSeed: sealedSeed ? fromBase64Url(sealedSeed) : stored.sealedSeed, digest }
  } finally {
    erase(pair.secretKey)
  }
}

export function getSigners({ set }: KeyShare): readonly string[] {
  return set.parties.filter(party => party === 'C' || party === 'R1' || party === 'R2')
}

/** Returns the share if it is the party's own share of the same set and epoch. Otherwise throws. */
function checked(share: KeyShare, party: 'R1' | 'R2', ownShare: KeyShare): KeyShare {
  try {
    const same = toBase64Url(encode(codecs.shareSet, share.set)) === toBase64Url(encode(codecs.shareSet, ownShare.set))
    if (!same || share.party !== party) throw new KeybayError(relayAnswerWrong, { detail: 'a share of something else' })
    checkShare(share)
    return share
  } catch (error) {
    eraseShare(share)
    throw error
  }
}
