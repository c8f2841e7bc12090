/** Messages of mpc in transit: decoded with relay errors, and sealed if private. */
import { KeybayError } from '@keybay/kernel/spec'
import {
  type Codec,
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
} from '@keybay/waas/mpc'
import * as v from 'valibot'
import { RelayError } from '../http/errors.js'
import { bytes, party, toText } from '../http/fields.js'

export const boxField = v.strictObject({ from: party, to: party, box: bytes(1024) })
export const boxTextField = v.object({ from: party, to: party, box: v.string() })
/** Sealed message for one party. */
export type Box = v.InferOutput<typeof boxField>

export function toBoxText({ from, to, box }: Box): v.InferOutput<typeof boxTextField> {
  return { from, to, box: toText(box) }
}

/** Error caused by a party's wrong message; mpc names the party. */
export class CeremonyFault extends Error {
  override readonly name = 'CeremonyFault'
  readonly code: string
  readonly blamed: string | undefined

  constructor(code: string, blamed: string | undefined) {
    super(code)
    this.code = code
    this.blamed = blamed
  }
}

function blamedBy(details: unknown): string | undefined {
  const blame = v.safeParse(v.object({ party: v.optional(v.string()) }), details)
  return blame.success ? blame.output.party : undefined
}

/** Runs a step of mpc. @throws CeremonyFault for messages of other parties; RelayError `transcript_mismatch` */
export function step<T>(act: () => T): T {
  try {
    return act()
  } catch (error) {
    if (!(error instanceof KeybayError) || !error.code.startsWith('mpc_')) throw error
    if (error.code === 'mpc_transcript_differs') throw new RelayError('transcript_mismatch')
    throw new CeremonyFault(error.code, blamedBy(error.details))
  }
}
/** Converts a ceremony error into the response of a route that counts no bad shares. */
export function asBadShare(error: unknown): unknown {
  return error instanceof CeremonyFault
    ? new RelayError('bad_share', { reason: error.code, ...(error.blamed && { party: error.blamed }) })
    : error
}

export function decodeAll<T>(codec: Codec<T>, list: readonly Uint8Array[]): readonly T[] {
  return list.map(item => step(() => decode(codec, item)))
}

export function encodeAll<T>(codec: Codec<T>, list: readonly T[]): string[] {
  return list.map(item => toText(encode(codec, item)))
}

/** Seals the message, then erases the plaintext. */
export function seal(
  plan: SetPlan,
  key: Uint8Array,
  { from, to }: { from: Party; to: Party },
  message: Uint8Array,
): Box {
  const box = step(() => sealPrivate(key, sealContext(plan, from, to), message))
  erase(message)
  return { from, to, box }
}

export function sealSubShare(plan: SetPlan, key: Uint8Array, subShare: SubShare): Box {
  return seal(plan, key, subShare, encode(subShareCodec(plan.curve), subShare))
}

/** Opens a box with the pair that it was sealed to. @throws the error of the last pair */
function openWithAny(
  [pair, ...others]: readonly SealingKeyPair[],
  context: ReturnType<typeof sealContext>,
  box: Uint8Array,
): Uint8Array {
  if (!pair) throw new RelayError('invalid_request')
  try {
    return openPrivate(pair, context, box)
  } catch (error) {
    if (others.length === 0) throw error
    return openWithAny(others, context, box)
  }
}

/** Opens the boxes addressed to this party. @throws RelayError `invalid_request` for two boxes from one sender */
export function openSubShares(
  plan: SetPlan,
  pairs: readonly SealingKeyPair[],
  to: Party,
  boxes: readonly Box[],
): readonly SubShare[] {
  const ownBoxes = boxes.filter(box => box.to === to)
  if (new Set(ownBoxes.map(({ from }) => from)).size !== ownBoxes.length) throw new RelayError('invalid_request')
  return ownBoxes.map(({ from, box }) =>
    step(() => {
      const bytes = openWithAny(pairs, sealContext(plan, from, to), box)
      const subShare = decode(subShareCodec(plan.curve), bytes)
      erase(bytes)
      if (subShare.from !== from || subShare.to !== to) throw new RelayError('invalid_request')
      return subShare
    }),
  )
}
