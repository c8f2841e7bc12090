/**
 * Signs with a Bitcoin account: FROST, one round trip for all inputs of a PSBT. The user sees the payments and agrees,
 * and each signature is verified here before it leaves the frame.
 */
import { fromBase64, fromBase64Url, KeybayError, toBase64, toBase64Url } from '@keybay/kernel/spec'
import { type Psbt, readPsbt, taprootKeyOf } from '@keybay/waas/btc'
import { codecs, decode, encode, type KeyShare, type Party, taprootBegin, taprootFinish } from '@keybay/waas/mpc'
import type { TransactionToSign } from '@keybay/waas/protocol'
import * as v from 'valibot'
import { getDevice, type Job } from '../../core/job.js'
import { getSigners } from '../../core/release.js'
import { signByConsent } from '../../core/sign-by-consent.js'
import { relayAnswerWrong } from '../../errors/errors.js'
import type { KeptSet } from '../../store/kept.js'
import { describePsbt } from './describe.js'

const bytes = v.pipe(v.string(), v.maxLength(256), v.regex(/^[\w-]*$/))
const answered = v.object({
  answers: v.pipe(
    v.array(
      v.object({
        party: v.picklist(['R1', 'R2']),
        inputs: v.pipe(v.array(v.object({ commitment: bytes, share: bytes })), v.maxLength(32)),
      }),
    ),
    v.minLength(1),
    v.maxLength(2),
  ),
})

const HOW = 'Device and service sign together, each with its part; the key is not put together.'

/** Makes one attempt, with fresh commitments. */
async function attempt(
  { frame, authority }: Job,
  stored: KeptSet,
  share: KeyShare,
  content: Uint8Array,
  { sighashes }: Psbt,
): Promise<readonly Uint8Array[]> {
  const signings = sighashes.map(sighash => ({ sighash, ...taprootBegin(share) }))
  try {
    const { answers } = await frame.relay.post({
      path: `/wallets/${stored.walletId}/sign/taproot`,
      body: {
        setId: stored.setId,
        psbt: toBase64Url(content),
        commitments: signings.map(({ commitment }) => toBase64Url(encode(codecs.taprootCommitment, commitment))),
      },
      answer: answered,
      authority,
      device: { ...getDevice(stored), signers: getSigners(share), consent: true },
    })
    return signings.map(({ commitment, sighash, sign }, input) => {
      const others = answers.map(({ party, inputs }) => {
        const relayInput = inputs[input]
        if (!relayInput) throw new KeybayError(relayAnswerWrong, { detail: 'an input is missing' })
        return {
          party,
          commitment: decode(codecs.taprootCommitment, fromBase64Url(relayInput.commitment)),
          share: relayInput.share,
        }
      })
      const all = [commitment, ...others.map(other => other.commitment)]
      const shares: Partial<Record<Party, Uint8Array>> = { C: sign(all, sighash) }
      for (const other of others) shares[other.party] = fromBase64Url(other.share)
      return taprootFinish(share.set, all, sighash, shares)
    })
  } finally {
    for (const signing of signings) signing.erase()
  }
}

/**
 * Signs each input of a PSBT.
 * @returns the PSBT with the signatures
 * @throws KeybayError `psbt_invalid`
 */
export async function signPsbt(job: Job, payload: TransactionToSign) {
  const { senderAddress: address, password } = payload
  const content = fromBase64(payload.transaction)
  const psbt = readPsbt(content, taprootKeyOf(address))
  const signatures = await signByConsent(job, {
    address,
    password,
    title: 'Sign this transaction?',
    how: HOW,
    actions: describePsbt(psbt),
    network: 'BTC',
    attempt: (proved, stored, share) => attempt(proved, stored, share, content, psbt),
  })
  return { signedTransaction: toBase64(psbt.withSignatures(signatures)) }
}
