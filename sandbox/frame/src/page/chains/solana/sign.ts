/** Signs in one round trip, with fresh commitments per attempt, and verifies each signature before it leaves. */
import {
  fromBase64,
  fromBase64Url,
  invalidTransaction,
  KeybayError,
  RAW_MESSAGE_LENGTH_CHARACTERS,
  rawMessageLength,
  toBase64,
  toBase64Url,
  utf8,
} from '@keybay/kernel/spec'
import { anyPoint, codecs, decode, encode } from '@keybay/waas/mpc'
import type {
  HandlerContext,
  MessageToSign,
  RawMessageToSign,
  Signature,
  TransactionToSign,
} from '@keybay/waas/protocol'
import { answersSchema, parseTransaction, type Transaction, withSignature } from '@keybay/waas/relay-client'
import type { Frame } from '../../core/frame.js'
import { assertSolana, getDevice, type Job, provedBy, startJob } from '../../core/job.js'
import { keepReason, takeReason } from '../../core/reasons.js'
import { byCurrentShare } from '../../core/settle.js'
import { keptWallet, readyShare } from '../../core/share.js'
import type { Agreed, FactorFields } from '../../screen/questions.js'
import { whenIdle } from '../../sign/idle.js'
import type { KeptSet } from '../../store/kept.js'
import { agreeToMessage, agreeToRawMessage, agreeToTransaction } from './agree.js'
import { readableMessage } from './message.js'

interface ToSign {
  readonly address: string
  readonly kind: 'transaction' | 'message' | 'rawMessage'
  readonly message: Uint8Array
  readonly password: string | undefined
  /** Asks the user, in the visible frame. The reason is the relay's rule. */
  readonly ask: (factor: FactorFields | undefined, reason: string | undefined) => Agreed
}

/** Makes one attempt. Commitments are never reused, even if a relay did not respond. */
async function attempt(job: Job, kept: KeptSet, { kind, message, password }: ToSign, consent: boolean) {
  const { frame, authority } = job
  const { ready } = await readyShare(job, kept, password)
  const signing = ready.begin()
  try {
    const peers = ready.share.set.parties.filter(party => party === 'R1' || party === 'R2')
    const { answers } = await frame.relay.post({
      path: `/wallets/${kept.walletId}/sign`,
      body: {
        setId: kept.setId,
        kind,
        message: toBase64Url(message),
        commitment: toBase64Url(encode(codecs.signCommitment, signing.commitment)),
      },
      answer: answersSchema,
      authority,
      device: { ...getDevice(kept), signers: ['C', ...peers], consent },
    })
    return signing.finish(
      message,
      answers.map(text => decode(codecs.signAnswer, fromBase64Url(text), anyPoint)),
    )
  } finally {
    signing.erase()
    whenIdle(() => ready.prepare())
  }
}

async function sign(asked: Job, what: ToSign): Promise<Uint8Array> {
  const { frame, context } = asked
  const consent = frame.screen.visible
  const reason = consent ? takeReason(asked.authority) : undefined
  const job = consent ? provedBy(asked, await what.ask(await asked.factor(), reason)) : asked
  if (consent) frame.screen.busy('Signing…')
  const kept = await keptWallet(job, what.address)
  // Prompt the user before taking the lock, so that the lock is not held while the user types.
  const { password } = await readyShare(job, kept, what.password)
  const known = { ...what, password }
  const once = (now: KeptSet) =>
    frame.locks.reading(kept.walletId, () => attempt(job, now, known, consent), context.signal)
  try {
    return await byCurrentShare(job, kept, once)
  } catch (error) {
    keepReason(job.authority, error)
    throw error
  } finally {
    if (consent) frame.screen.clear()
  }
}

/** @throws KeybayError `frame_disguised_transaction` if the message is not readable text */
export async function signMessage(frame: Frame, payload: MessageToSign, context: HandlerContext): Promise<Signature> {
  assertSolana(payload.chainName)
  const message = typeof payload.message === 'string' ? utf8(payload.message) : payload.message
  const { accountAddress: address, password } = payload
  const text = readableMessage(message, address)
  const job = await startJob(frame, 'signMessage', payload, context)
  const ask = (factor: FactorFields | undefined) =>
    agreeToMessage(frame.screen, text, { address, factor, signal: context.signal })
  return { signature: await sign(job, { address, kind: 'message', message, password, ask }) }
}

/** @throws KeybayError `raw_message_length` */
export async function signRawMessage(
  frame: Frame,
  payload: RawMessageToSign,
  context: HandlerContext,
): Promise<Signature> {
  assertSolana(payload.chainName)
  const { message: hex, accountAddress: address, password } = payload
  if (hex.length !== RAW_MESSAGE_LENGTH_CHARACTERS) throw new KeybayError(rawMessageLength)
  const message = Uint8Array.from(hex.match(/../g) ?? [], pair => Number.parseInt(pair, 16))
  const job = await startJob(frame, 'signRawMessage', payload, context)
  const ask = (factor: FactorFields | undefined) =>
    agreeToRawMessage(frame.screen, hex, { address, factor, signal: context.signal })
  return { signature: await sign(job, { address, kind: 'rawMessage', message, password, ask }) }
}

function readTransaction(base64: string): Transaction {
  try {
    return parseTransaction(fromBase64(base64))
  } catch {
    throw new KeybayError(invalidTransaction)
  }
}

/** @throws KeybayError `invalid_transaction` if it is not a transaction, or its signers do not include the sender */
export async function signTransaction(
  frame: Frame,
  payload: TransactionToSign,
  context: HandlerContext,
): Promise<{ readonly signedTransaction: string }> {
  assertSolana(payload.chainName)
  const { senderAddress: address, password } = payload
  const transaction = readTransaction(payload.transaction)
  if (!transaction.parsed.signers.includes(address)) throw new KeybayError(invalidTransaction)
  const { message } = transaction
  const job = await startJob(frame, 'signTransaction', payload, context)
  const ask = (factor: FactorFields | undefined, reason: string | undefined) =>
    agreeToTransaction(frame.screen, transaction, { address, factor, reason, signal: context.signal })
  const signature = await sign(job, { address, kind: 'transaction', message, password, ask })
  return { signedTransaction: toBase64(withSignature(transaction, address, signature)) }
}
