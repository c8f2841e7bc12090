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
import {
  consentRequired,
  type MessageToSign,
  type RawMessageToSign,
  type TransactionToSign,
} from '@keybay/waas/protocol'
import {
  answersSchema,
  inWords,
  parseTransaction,
  type Transaction,
  type TransactionMessage,
  withSignature,
} from '@keybay/waas/relay-client'
import { type Offer, openWindow } from '../../core/chain-kit.js'
import { assertSolana, getDevice, type Job, provedBy } from '../../core/job.js'
import { keepReason, takeReason } from '../../core/reasons.js'
import { byCurrentShare } from '../../core/settle.js'
import { keptWallet, readyShare, readyToSign } from '../../core/share.js'
import { messageTitle, warnOfOthers } from '../../core/sign-in.js'
import { type Child, element, paragraph } from '../../screen/dom.js'
import { agree, warningLines } from '../../screen/questions.js'
import type { KeptSet } from '../../store/kept.js'
import { readableMessage } from './message.js'
import { decideUnasked } from './unasked.js'

interface ToSign {
  readonly address: string
  readonly kind: 'transaction' | 'message' | 'rawMessage'
  readonly message: Uint8Array
  readonly password: string | undefined
  readonly title: string
  readonly content: readonly Child[]
  readonly transaction?: TransactionMessage
  /** Whom the wallet pays, as the window shows it. */
  readonly paid?: readonly string[]
  /** Warnings that need the user's consent under every policy. */
  readonly warnings?: readonly Child[]
}

/** Makes one attempt. Commitments are never reused, even if a relay did not respond. */
async function attempt(job: Job, stored: KeptSet, { kind, message, password }: ToSign, consent: boolean) {
  const { frame, authority } = job
  const { ready } = await readyShare(job, stored, password)
  const signing = ready.begin(message)
  try {
    const peers = ready.share.set.parties.filter(party => party === 'R1' || party === 'R2')
    const { answers } = await frame.relay.post({
      path: `/wallets/${stored.walletId}/sign`,
      body: {
        setId: stored.setId,
        kind,
        message: toBase64Url(message),
        commitment: toBase64Url(encode(codecs.signCommitment, signing.commitment)),
      },
      answer: answersSchema,
      authority,
      device: { ...getDevice(stored), signers: ['C', ...peers], consent },
    })
    return signing.finish(answers.map(text => decode(codecs.signAnswer, fromBase64Url(text), anyPoint)))
  } finally {
    signing.erase()
  }
}

/** Asks the user in the visible frame, with the relay's rule if a rule requires the consent. */
async function askUser(
  job: Job,
  { address, kind, title, content, warnings = [] }: ToSign,
  offer: Offer | undefined,
): Promise<Job> {
  const { frame, context, authority } = job
  const reason = takeReason(authority)
  const isRule = kind === 'transaction' && reason !== undefined
  const note = isRule ? paragraph(`You are asked because of a rule. ${reason}`, 'note') : undefined
  const about = { address, factor: await job.factor(), signal: context.signal }
  const consent = { title, content: [...warnings, note, ...content, ...(offer?.rows ?? [])], action: 'Sign' }
  return provedBy(job, await agree(frame.screen, { ...consent, check: () => void offer?.read() }, about))
}

/**
 * Counts a signature without the user, whatever page and relays say.
 * @throws KeybayError `consent_required` for everything that the user has not agreed to in this browser;
 *   `policy_refused` above a limit of the user's own policy
 */
async function countUnasked({ frame, user }: Job, { setId }: KeptSet, what: ToSign): Promise<void> {
  const { address, kind, transaction, warnings = [] } = what
  const unasked = { transaction, address, hostOrigin: frame.hostOrigin, now: frame.clock.now() }
  let decision: ReturnType<typeof decideUnasked>
  let isClosed = false
  if (kind !== 'rawMessage' && warnings.length === 0)
    await frame.store.changeAgreement(user, setId, agreement => {
      decision = decideUnasked(agreement, unasked)
      isClosed = agreement?.policy.otherwise === undefined
      return decision && 'policy' in decision ? decision : undefined
    })
  if (decision && 'rule' in decision && isClosed)
    throw new KeybayError(
      { code: 'policy_refused', message: 'The rules of this wallet don’t allow it' },
      { details: decision, detail: inWords(decision) },
    )
  if (!decision || !('policy' in decision)) throw new KeybayError(consentRequired, { details: decision })
}

async function sign(initialJob: Job, what: ToSign): Promise<Uint8Array> {
  const { frame, context } = initialJob
  const consent = frame.screen.visible
  const { address, transaction, warnings = [] } = what
  await keptWallet(initialJob, address)
  const solana = consent && transaction && warnings.length === 0 ? await openWindow(frame) : undefined
  const offer = transaction && (await solana?.offerGrant(initialJob, address, transaction))
  const job = consent ? await askUser(initialJob, what, offer) : initialJob
  const grant = offer?.read()
  if (consent) frame.screen.busy('Signing…')
  const { stored, password } = await readyToSign(job, address, what.password)
  const known = { ...what, password }
  const once = (now: KeptSet) =>
    frame.locks.reading(stored.walletId, () => attempt(job, now, known, consent), context.signal)
  try {
    if (!consent) await countUnasked(job, stored, known)
    const signature = await byCurrentShare(job, stored, once)
    // Only what the user has seen is no longer new. A signature is returned, even if its recipients cannot be kept.
    if (consent)
      await frame.store
        .keepRecipients([job.user, address, 'SOL'], what.paid ?? [], frame.clock.now())
        .catch(() => undefined)
    if (grant) await solana?.grantAfter(job, address, grant)
    return signature
  } catch (error) {
    keepReason(job.authority, error)
    throw error
  }
}

/** @throws KeybayError `frame_disguised_transaction` if the message is not readable text */
export async function signMessage(job: Job, payload: MessageToSign) {
  assertSolana(payload.chainName)
  const message = typeof payload.message === 'string' ? utf8(payload.message) : payload.message
  const { accountAddress: address, password } = payload
  const readable = readableMessage(message, address)
  const warnings = warnOfOthers(job.frame, address, [readable])
  const content = [element('pre', { tabindex: '0' }, readable.text)]
  const title = messageTitle(readable, warnings)
  return { signature: await sign(job, { address, kind: 'message', message, password, title, content, warnings }) }
}

/** @throws KeybayError `raw_message_length` */
export async function signRawMessage(job: Job, payload: RawMessageToSign) {
  assertSolana(payload.chainName)
  const { message: hex, accountAddress: address, password } = payload
  if (hex.length !== RAW_MESSAGE_LENGTH_CHARACTERS) throw new KeybayError(rawMessageLength)
  const message = Uint8Array.from(hex.match(/../g) ?? [], pair => Number.parseInt(pair, 16))
  const warning = 'They may be the hash of anything. Sign only if you trust the app.'
  const content = [...warningLines([warning]), element('pre', { tabindex: '0' }, hex)]
  const title = 'Sign 32 unreadable bytes?'
  return { signature: await sign(job, { address, kind: 'rawMessage', message, password, title, content }) }
}

function readTransaction(base64: string): Transaction {
  try {
    return parseTransaction(fromBase64(base64))
  } catch {
    throw new KeybayError(invalidTransaction)
  }
}

/** @throws KeybayError `frame_share_elsewhere` before a node learns of the transaction */
async function showContent(job: Job, payload: TransactionToSign, parsed: TransactionMessage) {
  const { senderAddress: wallet, transaction: encoded } = payload
  await keptWallet(job, wallet)
  return (await openWindow(job.frame)).showTransaction(job, { encoded, parsed, wallet })
}

/** @throws KeybayError `invalid_transaction` if it is not a transaction, or its signers do not include the sender */
export async function signTransaction(job: Job, payload: TransactionToSign) {
  assertSolana(payload.chainName)
  const { senderAddress: address, password } = payload
  const transaction = readTransaction(payload.transaction)
  const { message, parsed } = transaction
  if (!parsed.signers.includes(address)) throw new KeybayError(invalidTransaction)
  const { content, paid } = job.frame.screen.visible
    ? await showContent(job, payload, parsed)
    : { content: [], paid: [] }
  // Services accept a sign-in in a memo too.
  const memos = parsed.instructions.map(({ data }) => data)
  const warnings = warnOfOthers(job.frame, address, memos)
  const title = 'Sign this transaction?'
  const toSign = { address, kind: 'transaction', message, password, title, content, warnings, paid } as const
  const signature = await sign(job, { ...toSign, transaction: parsed })
  return { signedTransaction: toBase64(withSignature(transaction, address, signature)) }
}
