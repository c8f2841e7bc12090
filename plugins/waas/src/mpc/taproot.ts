/** Bitcoin taproot, key path: FROST(secp256k1, SHA-256-TR) by `@noble/curves`, with BIP 341's tweak without scripts. */
import { schnorr_FROST as frost, schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToNumberBE } from '@noble/curves/utils.js'
import { createCopy, erase } from './bytes.js'
import { fault, nonceUsed, orFault, partyUnexpected, planInvalid, signatureShareInvalid } from './errors.js'
import { PARTIES, type Party, partyNumber } from './parties.js'
import { groupKey, verifyingShare } from './set.js'
import type { KeyShare, RandomBytes, ShareSet } from './types.js'

/** Both points, 33 bytes each. */
export interface TaprootCommitment {
  readonly party: Party
  readonly hiding: Uint8Array
  readonly binding: Uint8Array
}
export interface TaprootSigning {
  readonly commitment: TaprootCommitment
  /** Returns once the signature share, 32 bytes, for a 32-byte sighash. */
  readonly sign: (commitments: readonly TaprootCommitment[], sighash: Uint8Array) => Uint8Array
  /** Erases an unused nonce pair. */
  readonly erase: () => void
}

const { Point } = secp256k1
const { Fn } = Point

function isEven(point: Uint8Array): boolean {
  return point[0] === 2
}

/** The internal key with even y, and BIP 341's tweak without scripts. */
function getTweak(set: ShareSet): { readonly flip: boolean; readonly tweak: bigint } {
  if (set.curve !== 'secp256k1') throw fault(planInvalid, 'plan')
  const key = groupKey(set)
  const tweak = bytesToNumberBE(schnorr.utils.taggedHash('TapTweak', key.subarray(1)))
  return { flip: !isEven(key), tweak: Fn.create(tweak) }
}

/** Returns the set of the output key: the same parties, every share negated where needed, plus the tweak. */
function tweakedSet(set: ShareSet): ShareSet {
  const { flip, tweak } = getTweak(set)
  const commitments = set.commitments.map((bytes, k) => {
    const point = flip ? Point.fromBytes(bytes).negate() : Point.fromBytes(bytes)
    return (k === 0 ? point.add(Point.BASE.multiply(tweak)) : point).toBytes()
  })
  return { ...set, commitments }
}

function tweakedSecret({ set, secret }: KeyShare): Uint8Array {
  const { flip, tweak } = getTweak(set)
  const share = Fn.fromBytes(secret)
  return Fn.toBytes(Fn.add(flip ? Fn.neg(share) : share, tweak))
}

function name(party: Party): string {
  return frost.Identifier.fromNumber(partyNumber(party))
}

function getParty(identifier: string): Party | undefined {
  return PARTIES.find(party => name(party) === identifier)
}

function getPackage(set: ShareSet): Parameters<typeof frost.aggregate>[0] {
  const tweaked = tweakedSet(set)
  return {
    signers: { min: set.threshold, max: set.parties.length },
    commitments: tweaked.commitments.map(commitment => Uint8Array.from(commitment)),
    verifyingShares: Object.fromEntries(
      set.parties.map(party => [name(party), Uint8Array.from(verifyingShare(tweaked, party))]),
    ),
  }
}

function toList(set: ShareSet, commitments: readonly TaprootCommitment[]): Parameters<typeof frost.aggregate>[1] {
  return commitments.map(({ party, hiding, binding }) => {
    if (!set.parties.includes(party)) throw fault(partyUnexpected, 'co-sign', party)
    return { identifier: name(party), hiding: Uint8Array.from(hiding), binding: Uint8Array.from(binding) }
  })
}

/** Returns the x-only key of the output, 32 bytes, which a taproot address encodes. */
export function taprootOutputKey(set: ShareSet): Uint8Array {
  return createCopy(groupKey(tweakedSet(set)), 1)
}

/**
 * Round 1, one party. The nonces stay in the closure, serve one signature and are erased.
 *
 * @param random source of the nonces; a relay binds it to the request, so that a restored relay repeats no nonce
 */
export function taprootBegin(share: KeyShare, random?: RandomBytes): TaprootSigning {
  const { set, party } = share
  const identifier = name(party)
  const signingShare = Uint8Array.from(tweakedSecret(share))
  const { nonces, commitments: nonceCommitments } = frost.commit(
    { identifier, signingShare },
    random && ((length = 32) => Uint8Array.from(random(length))),
  )
  let used = false
  const drop = (): void => {
    used = true
    erase(nonces.hiding, nonces.binding, signingShare)
  }
  return {
    erase: drop,
    commitment: { party, hiding: nonceCommitments.hiding, binding: nonceCommitments.binding },
    sign: (commitments, sighash) => {
      if (used) throw fault(nonceUsed, 'co-sign', party)
      used = true
      try {
        const list = toList(set, commitments)
        return orFault(
          () => frost.signShare({ identifier, signingShare }, getPackage(set), nonces, list, sighash),
          partyUnexpected,
          'co-sign',
        )
      } finally {
        drop()
      }
    },
  }
}

/** Round 2: the BIP 340 signature, 64 bytes, verified. @throws `mpc_signature_share_invalid` naming the party */
export function taprootFinish(
  set: ShareSet,
  commitments: readonly TaprootCommitment[],
  sighash: Uint8Array,
  shares: Readonly<Partial<Record<Party, Uint8Array>>>,
): Uint8Array {
  const shareEntries = PARTIES.flatMap(party =>
    shares[party] ? [[name(party), Uint8Array.from(shares[party])] as const] : [],
  )
  try {
    return frost.aggregate(getPackage(set), toList(set, commitments), sighash, Object.fromEntries(shareEntries))
  } catch (error) {
    throw fault(signatureShareInvalid, 'finish-signature', getParty(firstCheater(error)))
  }
}

function firstCheater(error: unknown): string {
  const cheaters: unknown = error instanceof Error && 'cheaters' in error ? error.cheaters : []
  return Array.isArray(cheaters) ? String(cheaters[0]) : ''
}
