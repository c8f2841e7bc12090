/** Signatures on every chain: requested from the relays, and completed as the frame does. */
import { randomUUID } from 'node:crypto'
import { readPsbt, taprootKeyOf } from '@keybay/waas/btc'
import * as mpc from '@keybay/waas/mpc'
import { APP } from '../world.js'
import { type Answer, type Asked, ask, b64, sha256, type Target, unb64 } from './request.js'
import { asDevice, getRelays, getShare, type Wallet } from './wallet.js'

const { anyPoint, codecs, decode, encode } = mpc
const OPS = {
  transaction: 'signTransaction',
  message: 'signMessage',
  rawMessage: 'signRawMessage',
  typedData: 'signTypedData',
} as const

/** Returns the authority of a signature over these bytes. */
function asSigner(wallet: Wallet, kind: keyof typeof OPS, content: Uint8Array, more: Partial<Asked>): Asked {
  const signers = ['C', ...getRelays(getShare(wallet, 'C').set)]
  return asDevice(wallet, OPS[kind], { hash: sha256(content), signers, ...more })
}

export interface SignOptions extends Partial<Asked> {
  readonly kind?: 'transaction' | 'message' | 'rawMessage'
  readonly body?: object
  /** Sender of the request; default: the user's device. */
  readonly by?: typeof ask
}
/** Requests a signature share of a Solana wallet that the user agreed to, and completes the signature if the relay agrees. */
export async function sign(
  target: Target,
  wallet: Wallet,
  message: Uint8Array,
  { kind = 'message', body = {}, by = ask, ...more }: SignOptions = {},
): Promise<Answer & { signature?: Uint8Array }> {
  const share = getShare(wallet, 'C')
  const attempt = mpc.createFrameSigner(share, getRelays(share.set)).begin(message)
  const commitment = b64(encode(codecs.signCommitment, attempt.commitment))
  const request = { setId: wallet.setId, kind, message: b64(message), commitment, ...body }
  const path = `/wallets/${wallet.walletId}/sign`
  const answer = await by(
    target,
    wallet.user,
    path,
    request,
    asSigner(wallet, kind, message, { consent: true, ...more }),
  )
  if (answer.status !== 200) return answer
  const answers = answer.body.answers.map((text: string) => decode(codecs.signAnswer, unb64(text), anyPoint))
  return { ...answer, signature: attempt.finish(answers) }
}

export interface SignEvmOptions extends Partial<Asked> {
  readonly kind?: 'transaction' | 'message' | 'typedData'
  readonly body?: object
}
/** @returns the response, and with 200 the frame's signature; `open` opens it with another content hash */
export async function signEvm(target: Target, wallet: Wallet, content: Uint8Array, options: SignEvmOptions = {}) {
  const { kind = 'message', body = {}, ...more } = options
  const { walletId, setId, epoch, address, user } = wallet
  const ownShare = getShare(wallet, 'C')
  const pair = mpc.sealingKeyPair()
  const requestId = randomUUID()
  const hash = sha256(content)
  const sealingKey = b64(pair.publicKey)
  const sent = { requestId, setId, sealingKey, hostOrigin: APP, kind, content: b64(content), ...body }
  const operation = asSigner(wallet, kind, content, { consent: true, ...more })
  const answer = await ask(target, user, `/wallets/${walletId}/sign/evm`, sent, operation)
  const open = (signs: string | undefined) => {
    const factor = operation.mfaToken === undefined ? '' : sha256(operation.mfaToken)
    const ids = { requestId, environmentId: 'local', userId: user.userId, walletId, setId, epoch, address }
    return answer.body.shares.map(({ party, box }: { party: 'R1' | 'R2'; box: string }) => {
      const context = mpc.releaseContext({ ...ids, hostOrigin: APP, factor, party, signs })
      return decode(codecs.keyShare, mpc.openPrivate(pair, context, unb64(box)))
    })
  }
  const signature =
    answer.status === 200
      ? mpc.reconstructedBackend.sign([ownShare, ...open(hash)], unb64(answer.body.digest))
      : undefined
  return { ...answer, open, ...(signature && { signature }) }
}

interface Signed {
  readonly party: mpc.Party
  readonly inputs: readonly { readonly commitment: string; readonly share: string }[]
}
export interface SignTaprootOptions extends Partial<Asked> {
  readonly body?: object
  /** PSBT that the frame reads; default: the PSBT that is sent. */
  readonly read?: Uint8Array
}
/** Signs each input by FROST; `finish` combines and verifies the shares as the frame does. */
export async function signTaproot(
  target: Target,
  wallet: Wallet,
  psbt: Uint8Array,
  { body = {}, read = psbt, ...more }: SignTaprootOptions = {},
) {
  const { walletId, setId, address, user } = wallet
  const ownShare = getShare(wallet, 'C')
  const content = readPsbt(read, taprootKeyOf(address))
  const signings = content.sighashes.map(() => mpc.taprootBegin(ownShare))
  const commitments = signings.map(({ commitment }) => b64(encode(codecs.taprootCommitment, commitment)))
  const request = { setId, psbt: b64(psbt), commitments, ...body }
  const operation = asSigner(wallet, 'transaction', psbt, { consent: true, ...more })
  const answer = await ask(target, user, `/wallets/${walletId}/sign/taproot`, request, operation)
  if (answer.status !== 200) return answer
  const answers: readonly Signed[] = answer.body.answers
  const finish = () =>
    content.withSignatures(
      signings.map((signing, input) => {
        const inputAnswers = answers.map(({ party, inputs }) => ({
          party,
          ...(inputs[input] ?? { commitment: '', share: '' }),
        }))
        const read = inputAnswers.map(({ commitment }) => decode(codecs.taprootCommitment, unb64(commitment)))
        const all = [signing.commitment, ...read]
        const sighash = content.sighashes[input] ?? new Uint8Array()
        const shares = Object.fromEntries(inputAnswers.map(({ party, share }) => [party, unb64(share)]))
        return mpc.taprootFinish(ownShare.set, all, sighash, { C: signing.sign(all, sighash), ...shares })
      }),
    )
  return { ...answer, finish }
}
