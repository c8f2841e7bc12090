/**
 * Signs with an EVM account. The user sees the content and agrees. The relay, which parses and hashes the content
 * itself, releases its share for this one signature. The key is reconstructed here, signs, and is erased.
 */
import { fromBase64, KeybayError, toBase64, toBase64Url, utf8 } from '@keybay/kernel/spec'
import { personalDigest, readEvmTransaction, readTypedData } from '@keybay/waas/evm'
import { eraseShare, reconstructedBackend } from '@keybay/waas/mpc'
import type { MessageToSign, TransactionToSign, TypedDataToSign } from '@keybay/waas/protocol'
import type { Job } from '../../core/job.js'
import { releaseShares } from '../../core/release.js'
import { signByConsent } from '../../core/sign-by-consent.js'
import { messageTitle, warnOfOthers } from '../../core/sign-in.js'
import { relayAnswerWrong } from '../../errors/errors.js'
import type { Child } from '../../screen/dom.js'
import type { Action } from '../../screen/questions.js'
import { describeEvmTransaction, describeMessage, describeTypedData } from './describe.js'

interface ToSign {
  readonly address: string
  readonly kind: 'transaction' | 'message' | 'typedData'
  /** Payload that the session key signed for and that the relay parses. */
  readonly content: Uint8Array
  /** Digest to sign, 32 bytes. The relay computes the same digest. */
  readonly digest: Uint8Array
  readonly password: string | undefined
  readonly title: string
  readonly actions: readonly Action[]
  /** Network of a transaction. */
  readonly network?: string
  readonly warnings?: readonly Child[]
}

const HOW =
  'For this signature the key is put together here, in the wallet’s own window, and erased at once. It is whole for that moment.'

function sign(
  job: Job,
  { address, kind, content, digest, password, title, actions, network, warnings }: ToSign,
): Promise<Uint8Array> {
  return signByConsent(job, {
    address,
    password,
    title,
    how: HOW,
    actions,
    network,
    warnings,
    async attempt(proved, stored, share) {
      const { shares, digest: relayDigest } = await releaseShares(proved, stored, share, {
        path: 'sign/evm',
        body: { kind, content: toBase64Url(content) },
        signs: proved.authority.hash,
      })
      try {
        if (relayDigest !== toBase64Url(digest))
          throw new KeybayError(relayAnswerWrong, { detail: 'it read something else' })
        // Copy the share, because signing erases its input.
        const ownShare = { ...share, secret: new Uint8Array(share.secret) }
        return reconstructedBackend.sign([ownShare, ...shares], digest)
      } finally {
        eraseShare(...shares)
      }
    },
  })
}

/** Signs a message with `personal_sign` (EIP-191). */
export async function signEvmMessage(job: Job, payload: MessageToSign) {
  const { accountAddress: address, password, message } = payload
  const content = typeof message === 'string' ? utf8(message) : Uint8Array.from(message)
  const actions = describeMessage(content)
  const warnings = warnOfOthers(job.frame, address, [content])
  const title = messageTitle(content, warnings)
  const digest = personalDigest(content)
  return {
    signature: await sign(job, { address, kind: 'message', content, digest, password, title, actions, warnings }),
  }
}

/** Signs typed data with `eth_signTypedData_v4` (EIP-712). @throws KeybayError `evm_invalid` */
export async function signTypedData(job: Job, payload: TypedDataToSign) {
  const { accountAddress: address, password, typedData } = payload
  const data = readTypedData(typedData)
  const title = 'Sign this data?'
  const actions = describeTypedData(data)
  const content = utf8(typedData)
  const { digest } = data
  return { signature: await sign(job, { address, kind: 'typedData', content, digest, password, title, actions }) }
}

/**
 * Signs an unsigned EIP-1559 or EIP-155 transaction.
 * @returns the transaction with its signature
 * @throws KeybayError `evm_invalid`
 */
export async function signEvmTransaction(job: Job, payload: TransactionToSign) {
  const { senderAddress: address, password } = payload
  const content = fromBase64(payload.transaction)
  const transaction = readEvmTransaction(content)
  const title = 'Sign this transaction?'
  const actions = describeEvmTransaction(transaction, address)
  const { digest } = transaction
  const network = `EVM ${transaction.chainId}`
  const signature = await sign(job, {
    address,
    kind: 'transaction',
    content,
    digest,
    password,
    title,
    actions,
    network,
  })
  return { signedTransaction: toBase64(transaction.withSignature(signature)) }
}
