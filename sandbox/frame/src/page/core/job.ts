/** Running operation: its user, request and share. */
import { type Chain, KeybayError, unsupportedChain } from '@keybay/kernel/spec'
import {
  type Authorised,
  FACTORS,
  type HandlerContext,
  operationOf,
  type PayloadOf,
  type RelayRound,
  requestHashOf,
  type WaasMessageType,
} from '@keybay/waas/protocol'
import type { Authority, Device } from '@keybay/waas/relay-client'
import { passkeysSupported } from '../factor/passkey.js'
import { agreeTo, type FactorFields } from '../screen/questions.js'
import type { KeptSet } from '../store/kept.js'
import { openWindow } from './chain-kit.js'
import type { Frame } from './frame.js'

export interface Job {
  readonly frame: Frame
  readonly user: string
  readonly authority: Authority
  readonly context: HandlerContext
  /** The user's own Google accounts. The first is offered first. */
  readonly driveAccounts: readonly string[]
  /** Opens the second factor, if it is required and the page's session key allowed this frame to request it. */
  readonly factor: () => Promise<FactorFields | undefined>
}

/** @throws KeybayError `frame_token_missing` */
export async function startJob<const T extends WaasMessageType>(
  frame: Frame,
  type: T,
  payload: PayloadOf<T> &
    Pick<Authorised, 'authToken' | 'signedSessionId' | 'mfaToken' | 'signedMfa' | 'driveAccounts' | 'traceparent'>,
  context: HandlerContext,
): Promise<Job> {
  const { authToken: token, signedSessionId, mfaToken, signedMfa: statement, driveAccounts = [], traceparent } = payload
  const user = frame.session.getUser(token)
  const hashedOperation = await operationOf(type, payload)
  const { operation, hash } = hashedOperation
  const { signal } = context
  const factor = async () => {
    const action = FACTORS[type]
    if (!frame.screen.visible || statement === undefined || action === undefined) return undefined
    // Hash what the frame shows, never a description from the page.
    const requestHash = await requestHashOf(hashedOperation)
    const question = await frame.openFactor({ user, token, statement, action, requestHash, signal })
    // Unreadable bytes always require a second factor, regardless of the environment's settings.
    const demanded = question.demanded || type === 'signRawMessage'
    if (!demanded || !question.hasFactor) return undefined
    const { factorFields, setUpPasskey } = await openWindow(frame)
    if (question.devices.length > 0 || question.passkey) return factorFields(question)
    // The user only has a passkey of the page, which the page must request if this frame can have none.
    if (passkeysSupported()) await setUpPasskey(frame.screen, question, signal)
    return undefined
  }
  let rounds = 0
  const onRound = (relay: RelayRound) => {
    rounds += 1
    context.progress({ step: 'relay', number: rounds, of: rounds, relay })
  }
  const authority = { user, token, signedSessionId, mfaToken, operation, hash, signal, onRound, traceparent }
  return { frame, user, authority, context, driveAccounts, factor }
}

/** Returns the job with the MFA token of the user's consent, if there is one. */
export function provedBy(job: Job, mfaToken: string | undefined): Job {
  return mfaToken === undefined ? job : { ...job, authority: { ...job.authority, mfaToken } }
}

export interface ActionQuestion {
  readonly title: string
  readonly sentence: string
  /** Sentence that the user must agree to. If undefined, only a second factor may be needed. */
  readonly consent?: string | undefined
}

/**
 * Requests the second factor, and the user's consent if needed.
 * @param prepare runs before the user is asked anything, unless a second factor is asked: at the product API, that one
 *   admits this frame too
 * @throws KeybayError `consent_required` in a hidden frame if consent is needed; `user_rejected`
 */
export async function proveAction(
  job: Job,
  address: string,
  { title, sentence, consent }: ActionQuestion,
  prepare?: () => Promise<void>,
) {
  const factor = await job.factor()
  if (!factor) await prepare?.()
  if (!factor && consent === undefined) return job
  const about = { address, factor, signal: job.context.signal }
  const sentences = consent === undefined ? [sentence] : [sentence, consent]
  return provedBy(job, await agreeTo(job.frame.screen, { title, sentences, action: 'Confirm' }, about))
}

export function getDevice({ deviceKey, walletId, setId, share }: KeptSet): Device {
  return { key: deviceKey.privateKey, walletId, setId, epoch: share.epoch }
}

/**
 * Rejects other chains for features that only Solana wallets have: imports, delegates and Solana signatures.
 * @throws KeybayError `unsupported_chain`
 */
export function assertSolana(chain: Chain): void {
  if (chain !== 'SOL') throw new KeybayError(unsupportedChain, { detail: 'only for Solana wallets' })
}
