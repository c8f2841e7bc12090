/**
 * Signing by a Bitcoin account: FROST over the sighashes that this party computes
 * from the PSBT, for all inputs of the account in one request; other inputs are
 * left alone. There are no policies, so every signature needs the user's consent.
 */
import { randomBytes } from 'node:crypto'
import { readPsbt, taprootKeyOf } from '@keybay/waas/btc'
import {
  codecs,
  encode,
  eraseShare,
  nonceRandomness,
  type RandomBytes,
  type TaprootCommitment,
  taprootBegin,
} from '@keybay/waas/mpc'
import * as v from 'valibot'
import { auditEntry, authorizeSet } from '../authority/authorize.js'
import { demandMfa } from '../authority/mfa.js'
import { askSetPeer } from '../ceremonies/flow.js'
import { asBadShare, decodeAll, step } from '../ceremonies/messages.js'
import { sha256 } from '../crypto/jwk.js'
import { RelayError } from '../http/errors.js'
import { base64url, bytes, messages, toBytes, toText, uuid } from '../http/fields.js'
import { type Call, parse, route } from '../http/route.js'
import type { SetRow } from '../store/sets.js'
import { getPublicSet, openShare } from '../store/shares.js'
import { checkSigner, getSigners, MAX_BYTES, SIGN_ACTION, signErrors, spend } from './signing.js'

const MAX_INPUTS = 32
const answered = v.object({
  answers: v.array(
    v.object({
      party: v.picklist(['R1', 'R2']),
      inputs: v.array(v.object({ commitment: base64url, share: base64url })),
    }),
  ),
})
type Answered = v.InferOutput<typeof answered>
const fromR1 = v.object({ commitments: v.array(v.string()) })

/** Computes the sighashes by this party's own parsing. @throws RelayError `invalid_request` */
function getSighashes(psbt: Uint8Array, { address }: SetRow): readonly Uint8Array[] {
  try {
    return readPsbt(psbt, taprootKeyOf(address)).sighashes
  } catch {
    throw new RelayError('invalid_request', { reason: 'content' })
  }
}

/** Binds the nonces to the message, as for Solana: after a snapshot is restored, another message gets other nonces. */
function boundTo(request: Uint8Array, sighash: Uint8Array, received: readonly TaprootCommitment[]): RandomBytes {
  const { hiding, binding } = nonceRandomness(randomBytes(32), request, sighash, received)
  const parts = [hiding, binding]
  return length => {
    const part = parts.shift()
    return part?.length === length ? part : new Uint8Array(randomBytes(length))
  }
}

function getCommitments(list: readonly Uint8Array[], party: string): readonly TaprootCommitment[] {
  const commitments = decodeAll(codecs.taprootCommitment, list)
  if (commitments.some(commitment => commitment.party !== party)) throw new RelayError('invalid_request')
  return commitments
}

export const signTaprootRoute = route({
  path: '/wallets/{walletId}/sign/taproot',
  summary:
    'Makes the sighashes of a PSBT, and answers this party’s share of the signature of each of the account’s inputs.',
  params: v.object({ walletId: uuid }),
  body: v.strictObject({ setId: uuid, psbt: bytes(MAX_BYTES), commitments: messages(MAX_INPUTS) }),
  answer: answered,
  errors: [...signErrors, 'invalid_request', 'bad_share', 'peer_unavailable'],
  run: async (call, { params: { walletId }, body }) => {
    const { services, fromPeer } = call
    const { psbt, setId } = body
    const request = { walletId, setId, op: 'signTransaction', hash: sha256(psbt), signers: getSigners }
    const authority = await authorizeSet(call, request)
    const { row, session, device, operation } = authority
    checkSigner(call, row, authority, 'BTC')
    const sighashes = getSighashes(psbt, row)
    if (!device.consent) throw new RelayError('consent_required', { rule: 'taproot' })
    const mfa = await demandMfa(call, session, SIGN_ACTION, operation)
    try {
      const frames = getCommitments(body.commitments, 'C')
      const handed = fromPeer
        ? getCommitments(parse('peer', fromR1, fromPeer.extra).commitments.map(toBytes), 'R1')
        : undefined
      if ([frames, handed ?? frames].some(({ length }) => length !== sighashes.length))
        throw new RelayError('invalid_request')
      const share = openShare(services.envelope, row)
      if (!share) throw new RelayError('set_revoked')
      await spend(call, authority, 'BTC', auditEntry(call, authority, row.epoch, 'signed', { kind: 'psbt' }))
      // Nonces and shares stay in one handler: only these closures hold the nonces.
      const signings = sighashes.map((sighash, input) => {
        const received = [frames[input], handed?.[input]].filter(commitment => commitment !== undefined)
        return { received, sighash, ...taprootBegin(share, boundTo(toBytes(device.request), sighash, received)) }
      })
      try {
        const ownCommitments = signings.map(({ commitment }) => commitment)
        const answersFromPeer = await peerAnswers(call, row, ownCommitments, mfa)
        const others = answersFromPeer.map(({ inputs }) => {
          const commitments = inputs.map(input => toBytes(input.commitment))
          return getCommitments(commitments, 'R2')
        })
        const inputs = signings.map(({ commitment, received, sighash, sign }, input) => {
          const all = [...received, commitment, ...others.flatMap(list => list[input] ?? [])]
          const signed = step(() => sign(all, sighash))
          return { commitment: toText(encode(codecs.taprootCommitment, commitment)), share: toText(signed) }
        })
        return { answers: [{ party: services.party, inputs }, ...answersFromPeer] }
      } finally {
        for (const signing of signings) signing.erase()
        eraseShare(share)
      }
    } catch (error) {
      throw asBadShare(error)
    }
  },
})

/** Requests R2's answers, if R2 signs too; R2 makes all checks itself. */
async function peerAnswers(
  call: Call,
  row: SetRow,
  ownCommitments: readonly TaprootCommitment[],
  mfa: string | undefined,
): Promise<Answered['answers']> {
  if (call.services.party !== 'R1' || !getPublicSet(row).parties.includes('R2')) return []
  const commitments = ownCommitments.map(commitment => toText(encode(codecs.taprootCommitment, commitment)))
  return (await askSetPeer(call, row.walletId, answered, { commitments }, mfa)).answers
}
