/** Signatures of Bitcoin accounts: FROST for each input, combined and verified as the frame does. */
import { readPsbt, taprootKeyOf } from '@keybay/waas/btc'
import { codecs, decode, encode, type Party, taprootBegin, taprootFinish } from '@keybay/waas/mpc'
import { type Asked, ask, b64, sha256, type Target, unb64 } from './request.js'
import { getShare, isFrame, type Wallet } from './wallet.js'

interface Signed {
  readonly party: Party
  readonly inputs: readonly { readonly commitment: string; readonly share: string }[]
}
export interface SignTaprootOptions extends Partial<Asked> {
  readonly body?: object
  /** PSBT that the frame reads; default: the PSBT that is sent. */
  readonly read?: Uint8Array
}

export async function signTaproot(
  target: Target,
  wallet: Wallet,
  psbt: Uint8Array,
  { body = {}, read = psbt, ...more }: SignTaprootOptions = {},
) {
  const { walletId, setId, epoch, address, person, device } = wallet
  const own = getShare(wallet, 'C')
  const relays = own.set.parties.filter(party => !isFrame(party))
  const content = readPsbt(read, taprootKeyOf(address))
  const signings = content.sighashes.map(() => taprootBegin(own))
  const commitments = signings.map(({ commitment }) => b64(encode(codecs.taprootCommitment, commitment)))
  const answer = await ask(
    target,
    person,
    `/wallets/${walletId}/sign/taproot`,
    { setId, psbt: b64(psbt), commitments, ...body },
    {
      op: 'signTransaction',
      hash: sha256(psbt),
      address,
      device,
      walletId,
      setId,
      epoch,
      signers: ['C', ...relays],
      consent: true,
      ...more,
    },
  )
  if (answer.status !== 200) return answer
  const answers: readonly Signed[] = answer.body.answers
  const finish = () =>
    content.withSignatures(
      signings.map((signing, input) => {
        const theirs = answers.map(({ party, inputs }) => ({
          party,
          ...(inputs[input] ?? { commitment: '', share: '' }),
        }))
        const all = [
          signing.commitment,
          ...theirs.map(their => decode(codecs.taprootCommitment, unb64(their.commitment))),
        ]
        const sighash = content.sighashes[input] ?? new Uint8Array()
        const shares = Object.fromEntries(theirs.map(({ party, share }) => [party, unb64(share)]))
        return taprootFinish(own.set, all, sighash, { C: signing.sign(all, sighash), ...shares })
      }),
    )
  return { ...answer, finish }
}
