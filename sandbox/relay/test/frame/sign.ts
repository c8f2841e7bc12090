/** Signatures. */
import { anyPoint, codecs, createFrameSigner, decode, encode } from '@keybay/waas/mpc'
import { type Answer, type Asked, ask, b64, sha256, type Target, unb64 } from './request.js'
import { getShare, isFrame, type Wallet } from './wallet.js'

export type Kind = 'transaction' | 'message' | 'rawMessage'
const OPS = { transaction: 'signTransaction', message: 'signMessage', rawMessage: 'signRawMessage' } as const

export interface SignOptions extends Partial<Asked> {
  readonly kind?: Kind
  readonly body?: object
  /** Sender of the request; default: the user's device. */
  readonly by?: typeof ask
}
/** Requests a signature share from the relay, and completes the signature if the relay agrees. */
export async function sign(
  target: Target,
  wallet: Wallet,
  message: Uint8Array,
  options: SignOptions = {},
): Promise<Answer & { signature?: Uint8Array }> {
  const { kind = 'message', body = {}, by = ask, ...more } = options
  const share = getShare(wallet, 'C')
  const relays = share.set.parties.filter(party => !isFrame(party))
  const attempt = createFrameSigner(share, relays).begin()
  const commitment = b64(encode(codecs.signCommitment, attempt.commitment))
  const answer = await by(
    target,
    wallet.person,
    `/wallets/${wallet.walletId}/sign`,
    { setId: wallet.setId, kind, message: b64(message), commitment, ...body },
    {
      op: OPS[kind],
      hash: sha256(message),
      address: wallet.address,
      device: wallet.device,
      walletId: wallet.walletId,
      setId: wallet.setId,
      epoch: wallet.epoch,
      signers: ['C', ...relays],
      ...more,
    },
  )
  if (answer.status !== 200) return answer
  const answers = answer.body.answers.map((answer: string) => decode(codecs.signAnswer, unb64(answer), anyPoint))
  return { ...answer, signature: attempt.finish(message, answers) }
}
