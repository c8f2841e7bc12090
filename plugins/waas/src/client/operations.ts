/** Performs operations: authorises each request and walks through the steps of `operation-steps.ts`. */
import type { Kernel } from '@keybay/kernel'
import { field, sessionMissing, toKeybayError } from '@keybay/kernel/spec'
import * as v from 'valibot'
import { checkPayload } from '../protocol/check.js'
import { FACTOR_OPERATION, FACTORS, requestHashOf } from '../protocol/factor.js'
import { traceparent } from '../protocol/fields.js'
import type { Authorised, PayloadOf, ResultOf, WaasMessages, WaasMessageType } from '../protocol/messages.js'
import { operationOf } from '../protocol/operation.js'
import { randomText } from '../protocol/random.js'
import { waasProtocol } from '../protocol/schemas.js'
import type { Sender } from '../protocol/spec.js'
import { joinSignals, unlessAborted } from './abort.js'
import type { CallOptions, OperationEvent } from './api.js'
import { getDriveAccounts } from './drive-accounts.js'
import { SIGN_IN_FIRST, waasError } from './errors.js'
import { keptByHost, serveExternal } from './external.js'
import { withGrantWindow } from './grant-window.js'
import { observe } from './observe.js'
import {
  type ConfirmStep,
  type ProveStep,
  type SendStep,
  type SignInStep,
  type Step,
  stepAfterRefusal,
} from './operation-steps.js'
import type { FrameOptions, FrameParameters } from './parameters.js'
import type { FrameHandle } from './shared-frame.js'
import { assertTenure, type Tenure } from './tenure.js'
import { openVisibleFrame, type VisibleFrame } from './visible-frame.js'

type Authority = 'signedSessionId' | 'authToken' | 'mfaToken' | 'signedMfa'
/** Messages that carry the user's authority. The others are the frame's own. */
export type OperationType = {
  readonly [T in WaasMessageType]: PayloadOf<T> extends Pick<Authorised, Authority> ? T : never
}[WaasMessageType]
/** A payload without the authority, which `Perform` adds. */
export type Request<T extends OperationType> = Omit<PayloadOf<T>, Authority>

export interface PerformOptions extends Omit<CallOptions, 'password'> {
  /** Show nothing and ask nothing. */
  readonly silent?: boolean | undefined
  /** Begin in the visible frame. */
  readonly visible?: boolean | undefined
}
export type Perform = <const T extends OperationType>(
  type: T,
  request: Request<T>,
  options?: PerformOptions,
) => Promise<ResultOf<T>>

/** Everything an operation needs from the user's engine. */
export interface OperationContext {
  readonly kernel: Kernel<'account'>
  readonly parameters: FrameParameters
  readonly frame: () => FrameHandle
  readonly options: Pick<FrameOptions, 'openGrant' | 'external' | 'traceparent'>
  readonly tenure: Tenure
}

/**
 * Returns the access token of the tenure's user. A session in cookies has none that the page can read, so the API issues one
 * for the frame. It is not kept: the next one has the time of the latest sign-in.
 *
 * @throws KeybayError `session_missing`, `session_changed`, and the errors of the request
 */
export async function getAuthToken(
  { config, session, plugins }: Pick<Kernel<'account'>, 'config' | 'session' | 'plugins'>,
  tenure: Tenure,
): Promise<string> {
  const token = config.cookieStorage
    ? field(await plugins.account.request('/auth/frame-token', { method: 'POST' }), 'accessToken')
    : await session.bearer()
  assertTenure(tenure)
  if (typeof token !== 'string') throw waasError(sessionMissing, SIGN_IN_FIRST)
  return token
}

function addressOf(request: object): string | undefined {
  const address: unknown = Reflect.get(request, 'accountAddress') ?? Reflect.get(request, 'senderAddress')
  return typeof address === 'string' ? address : undefined
}

/** One idempotency key for every step that sends the request. */
async function completeRequest<T extends OperationType>(
  { kernel, options }: OperationContext,
  type: T,
  request: Request<T>,
): Promise<Request<T>> {
  const trace = options.traceparent?.()
  return {
    ...(v.is(traceparent, trace) && { traceparent: trace }),
    ...(waasProtocol[type].resend === 'keyed' && { idempotencyKey: randomText() }),
    ...request,
    ...keptByHost(request, options.external),
    ...(await getDriveAccounts(kernel.plugins.account, type, request)),
  }
}

class Operation<const T extends OperationType> {
  readonly #context: OperationContext
  readonly #type: T
  readonly #request: Request<T>
  readonly #address: string | undefined
  /** Fields that its events share. */
  readonly #facts: OperationEvent
  readonly #options: PerformOptions
  /** Aborts with the caller's signal or with the tenure; while the visible frame is open, also when the user closes it. */
  #signal: AbortSignal
  #visibleFrame: VisibleFrame | undefined

  constructor(context: OperationContext, type: T, request: Request<T>, options: PerformOptions, signal: AbortSignal) {
    this.#context = context
    this.#type = type
    this.#request = request
    this.#address = addressOf(request)
    this.#facts = { operationId: randomText(), operation: type, address: this.#address }
    this.#options = options
    this.#signal = signal
  }

  async run(): Promise<ResultOf<T>> {
    const { events } = this.#context.kernel
    events.emit('waas:operation', { ...this.#facts, state: 'started' })
    return observe(
      () => this.#walk(),
      ending => events.emit('waas:operation', { ...this.#facts, ...ending }),
    )
  }

  async #walk(): Promise<ResultOf<T>> {
    let step: Step = { at: this.#options.visible ? 'visible' : 'hidden' }
    try {
      for (;;) {
        if (step.at === 'prove-in-app') step = await this.#prove(step)
        else if (step.at === 'confirm-passkey') step = await this.#confirmPasskey(step)
        else if (step.at === 'sign-in-again') step = await this.#signInAgain(step)
        else {
          const outcome: Step | { readonly result: ResultOf<T> } = await this.#send(step)
          if ('result' in outcome) return outcome.result
          step = outcome
        }
      }
    } finally {
      this.#visibleFrame?.close()
    }
  }

  async #send(step: SendStep): Promise<Step | { readonly result: ResultOf<T> }> {
    const sender = step.at === 'visible' ? await this.#openVisibleFrame() : await this.#openHiddenFrame()
    try {
      const proof = await this.#proofFor(step)
      const facts = { ...this.#facts, view: step.at }
      this.#context.kernel.events.emit('waas:message', { ...facts, state: 'sent' })
      const result = await observe(
        () => this.#sendOnce(sender, proof),
        ending => this.#context.kernel.events.emit('waas:message', { ...facts, ...ending }),
      )
      return { result }
    } catch (thrown) {
      const { silent = false } = this.#options
      const rules = { frameFactor: FACTORS[this.#type], isSilent: silent }
      const next = stepAfterRefusal(step, toKeybayError(thrown), rules)
      if (!next) throw thrown
      if (step.at === 'hidden' && next.at === 'visible')
        this.#context.kernel.events.emit('waas:consent', { operation: this.#type, address: this.#address })
      return next
    }
  }

  /** In the visible frame the user proves the second factor together with the consent, so that they act once. */
  async #proofFor({ at, mfaToken }: SendStep): Promise<Pick<Authorised, 'mfaToken' | 'signedMfa'>> {
    if (mfaToken !== undefined) return { mfaToken }
    if (at === 'hidden' || FACTORS[this.#type] === undefined) return {}
    const hash = await requestHashOf(await operationOf(this.#type, this.#request))
    const { account } = this.#context.kernel.plugins
    return { signedMfa: await account.signSession({ operation: FACTOR_OPERATION, hash }) }
  }

  async #sendOnce(sender: Sender<WaasMessages>, proof: Pick<Authorised, 'mfaToken' | 'signedMfa'>) {
    const { kernel, tenure, options } = this.#context
    const type = this.#type
    const authToken = await getAuthToken(kernel, tenure)
    const signedSessionId = await kernel.plugins.account.signSession(await operationOf(type, this.#request))
    const payload: unknown = { ...this.#request, authToken, signedSessionId, ...proof }
    checkPayload(type, waasProtocol[type].payload, payload)
    const grant = { clock: kernel.clock, open: options.openGrant, signal: this.#signal }
    return withGrantWindow(grant, (signal, showGrant) =>
      sender.send(type, payload, {
        signal,
        onProgress: ({ url, external: question, relay, height, ...progress }) => {
          if (height !== undefined) return this.#visibleFrame?.fit(height)
          if (relay) return kernel.events.emit('waas:relay', { ...relay, operationId: this.#facts.operationId })
          if (question) {
            const serving = serveExternal(sender, options.external, question, kernel.logger)
            return void this.#visibleFrame?.stepAside(serving)
          }
          showGrant(url)
          if (progress.step === 'granted') kernel.events.emit('waas:wallets-changed', {})
          kernel.events.emit('waas:progress', { ...progress, operation: type, address: this.#address })
        },
      }),
    )
  }

  async #prove({ action, requestHash, repeat, refusal }: ProveStep): Promise<Step> {
    const { account } = this.#context.kernel.plugins
    const mfaToken = await account.mfa.token(action, requestHash, { signal: this.#signal })
    if (mfaToken === undefined) throw refusal
    return { ...repeat, mfaToken }
  }

  async #confirmPasskey({ enrolmentId }: ConfirmStep): Promise<Step> {
    const path = `/mfa/frame-passkeys/${encodeURIComponent(enrolmentId)}/confirm`
    await this.#context.kernel.plugins.account.request(path, { method: 'POST', signal: this.#signal })
    return { at: 'visible', isPasskeyConfirmed: true }
  }

  async #signInAgain({ repeat }: SignInStep): Promise<Step> {
    await this.#context.kernel.plugins.account.reauthenticate({ signal: this.#signal })
    return repeat
  }

  #openHiddenFrame(): Promise<Sender<WaasMessages>> {
    return unlessAborted(this.#context.frame().ready(), this.#signal)
  }

  /** Loads the hidden frame too: it downloads for the visible one, which asks the user nothing before both are ready. */
  async #openVisibleFrame(): Promise<Sender<WaasMessages>> {
    if (this.#visibleFrame) return this.#visibleFrame.sender
    const { kernel, parameters, tenure } = this.#context
    const hidden = this.#context.frame().ready()
    hidden.catch(() => {}) // reported below, unless the visible frame fails first
    this.#visibleFrame = await openVisibleFrame({
      parameters,
      clock: kernel.clock,
      logger: kernel.logger,
      authToken: () => getAuthToken(kernel, tenure),
      container: this.#options.displayContainer,
      signal: this.#signal,
    })
    this.#signal = this.#visibleFrame.signal
    await unlessAborted(hidden, this.#signal)
    return this.#visibleFrame.sender
  }
}

export function createPerform(context: OperationContext): Perform {
  return async (type, request, options = {}) => {
    const signal = joinSignals(context.tenure.signal, options.signal)
    const complete = await completeRequest(context, type, request)
    if (signal.aborted) throw toKeybayError(signal.reason)
    return new Operation(context, type, complete, options, signal).run()
  }
}
