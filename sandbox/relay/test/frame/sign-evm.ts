/** Signatures of EVM accounts: opens the relays' shares and combines them with the device's, as the frame does. */
import { randomUUID } from 'node:crypto'
import { codecs, decode, openPrivate, reconstructedBackend, releaseContext, sealingKeyPair } from '@keybay/waas/mpc'
import { APP } from '../world.js'
import { type Answer, type Asked, ask, b64, sha256, type Target, unb64 } from './request.js'
import { getShare, isFrame, type Wallet } from './wallet.js'

export type EvmKind = 'transaction' | 'message' | 'typedData'
const OPS = { transaction: 'signTransaction', message: 'signMessage', typedData: 'signTypedData' } as const

export interface SignEvmOptions extends Partial<Asked> {
  readonly kind?: EvmKind
  readonly body?: object
}
/** @returns the response, and with 200 the frame's signature; `open` opens it with another content hash */
export async function signEvm(target: Target, wallet: Wallet, content: Uint8Array, options: SignEvmOptions = {}) {
  const { kind = 'message', body = {}, ...more } = options
  const { walletId, setId, epoch, address, person } = wallet
  const own = getShare(wallet, 'C')
  const pair = sealingKeyPair()
  const requestId = randomUUID()
  const hash = sha256(content)
  const relays = own.set.parties.filter(party => !isFrame(party))
  const sent = {
    requestId,
    setId,
    sealingKey: b64(pair.publicKey),
    hostOrigin: APP,
    kind,
    content: b64(content),
    ...body,
  }
  const asked: Asked = {
    op: OPS[kind],
    hash,
    address,
    device: wallet.device,
    walletId,
    setId,
    epoch,
    signers: ['C', ...relays],
    consent: true,
    ...more,
  }
  const answer: Answer = await ask(target, person, `/wallets/${walletId}/sign/evm`, sent, asked)
  const open = (signs: string | undefined) => {
    const factor = asked.mfaToken === undefined ? '' : sha256(asked.mfaToken)
    const ids = { requestId, environmentId: 'local', userId: person.userId, walletId, setId, epoch, address }
    return answer.body.shares.map(({ party, box }: { party: 'R1' | 'R2'; box: string }) =>
      decode(
        codecs.keyShare,
        openPrivate(pair, releaseContext({ ...ids, hostOrigin: APP, factor, party, signs }), unb64(box)),
      ),
    )
  }
  const signature =
    answer.status === 200 ? reconstructedBackend.sign([own, ...open(hash)], unb64(answer.body.digest)) : undefined
  return { ...answer, open, ...(signature && { signature }) }
}
