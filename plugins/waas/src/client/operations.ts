/** One operation: authorised, sent to the hidden frame, and where the user has to agree, to the visible one. */
import type { Kernel, KeybayError } from '@keybay/kernel'
import { isMfaAction } from '@keybay/kernel/spec'
import { randomText } from '../protocol/bytes.js'
import { checkPayload } from '../protocol/check.js'
import { consentRequired, type MfaDemand, mfaRequired, passkeyUnproved } from '../protocol/errors.js'
import { FACTOR_OPERATION, FACTORS, requestHashOf } from '../protocol/factor.js'
import { toFault } from '../protocol/fault.js'
import type { Authorised, PayloadOf, ResultOf, WaasMessages, WaasMessageType } from '../protocol/messages.js'
import { operationOf } from '../protocol/operation.js'
import { waasProtocol } from '../protocol/schemas.js'
import type { Sender } from '../protocol/spec.js'
import type { CallOptions } from './api.js'
import { driveAccountsOf } from './drive-accounts.js'
import { sessionMissing, userRejected } from './errors.js'
import { keptByHost, serveExternal } from './external.js'
import { withGrantWindow } from './grant-window.js'
import type { FrameOptions, FrameParameters } from './parameters.js'
import type { FrameHandle } from './shared-frame.js'
import { assertTenure, type Tenure } from './tenure.js'
import { withVisibleFrame } from './visible-frame.js'

type Authority = 'signedSessionId' | 'authToken' | 'mfaToken' | 'signedMfa'
/** Those that carry the user's authority; the others are the frame's own. */
export type OperationType = {
  readonly [T in WaasMessageType]: PayloadOf<T> extends Pick<Authorised, Authority> ? T : never
}[WaasMessageType]
/** What an operation says besides who asks. */
export type Request<T extends OperationType> = Omit<PayloadOf<T>, Authority>

export interface PerformOptions extends Omit<CallOptions, 'password'> {
  /** Nothing may be shown or asked. */
  readonly silent?: boolean | undefined
  /** Begin in the visible frame. */
  readonly visible?: boolean | undefined
}
export type Perform = <const T extends OperationType>(
  type: T,
  request: Request<T>,
  options?: PerformOptions,
) => Promise<ResultOf<T>>

interface Demand extends MfaDemand {
  /** Whether the user has a second factor at all. */
  readonly hasFactor: boolean
}

function demandOf(error: KeybayError): Demand | undefined {
  if (error.code !== mfaRequired.code) return undefined
  const { action, requestHash, devices }: { [name: string]: unknown } = Object(error.details)
  if (!isMfaAction(action) || typeof requestHash !== 'string') return undefined
  return { action, requestHash, hasFactor: Array.isArray(devices) && devices.length > 0 }
}
/** Of a passkey that the frame made, and that waits for the page's. */
function enrolmentOf(error: KeybayError): string | undefined {
  if (error.code !== passkeyUnproved.code) return undefined
  const id: unknown = Reflect.get(Object(error.details), 'enrolmentId')
  return typeof id === 'string' ? id : undefined
}

function addressOf(request: object): string | undefined {
  const address: unknown = Reflect.get(request, 'accountAddress') ?? Reflect.get(request, 'senderAddress')
  return typeof address === 'string' ? address : undefined
}
/** What takes its time is not waited for once the signal aborts. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(toFault(signal.reason))
    if (signal.aborted) leave()
    signal.addEventListener('abort', leave)
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })
}

/**
 * The token of the user whose tenure it is.
 *
 * @throws KeybayError `session_missing`: nobody is signed in, or the token is in a cookie that no frame can be given;
 *   `session_changed`
 */
export async function authTokenOf({ session }: Pick<Kernel, 'session'>, tenure: Tenure): Promise<string> {
  const token = await session.bearer()
  assertTenure(tenure)
  if (token === undefined) throw sessionMissing()
  return token
}

/** Aborts when the caller's signal does, or with the tenure. */
function withTenure(signal: AbortSignal | undefined, tenure: Tenure): AbortSignal {
  return signal ? AbortSignal.any([tenure.signal, signal]) : tenure.signal
}

export function createPerform(
  kernel: Kernel<'account'>,
  parameters: FrameParameters,
  frame: () => FrameHandle,
  { openGrant, external }: Pick<FrameOptions, 'openGrant' | 'external'>,
  tenure: Tenure,
): Perform {
  return async (type, request, { signal: given, silent = false, visible = false, displayContainer } = {}) => {
    const signal = withTenure(given, tenure)
    const { account } = kernel.plugins
    const { clock, events, logger } = kernel
    const { payload: schema, resend } = waasProtocol[type]
    const address = addressOf(request)
    /** One key for all the ways that the request takes. */
    const keyed = {
      ...(resend === 'keyed' && { idempotencyKey: randomText() }),
      ...request,
      ...keptByHost(request, external),
      ...(await driveAccountsOf(account, type, request)),
    }
    const send = async (
      sender: Sender<WaasMessages>,
      own: AbortSignal,
      proof?: Pick<Authorised, 'mfaToken' | 'signedMfa'>,
    ) => {
      const authToken = await authTokenOf(kernel, tenure)
      const signedSessionId = await account.signSession(await operationOf(type, keyed))
      const payload: unknown = { ...keyed, authToken, signedSessionId, ...proof }
      checkPayload(type, schema, payload)
      return withGrantWindow({ clock, open: openGrant, rejected: userRejected, signal: own }, (within, step) =>
        sender.send(type, payload, {
          signal: within,
          onProgress({ url, external: asked, ...progress }) {
            if (asked) return void serveExternal(sender, external, asked, logger)
            step(url)
            events.emit('waas:progress', { ...progress, operation: type, address })
          },
        }),
      )
    }
    /** Whether the visible frame asks for what is demanded. */
    const fitsFrame = (thrown: unknown): boolean => {
      const demand = demandOf(toFault(thrown))
      return demand?.hasFactor === true && demand.action === FACTORS[type]
    }
    /**
     * Nothing was done where a second factor is demanded, so the request goes once more, with a token for it. The page asks
     * for what no frame asks for, and where the user chose so in the visible one.
     */
    const sendProved = async (
      sender: Sender<WaasMessages>,
      own: AbortSignal,
      proof?: Pick<Authorised, 'signedMfa'>,
    ) => {
      try {
        return await send(sender, own, proof)
      } catch (thrown) {
        const demand = demandOf(toFault(thrown))
        if (!demand || silent || (!proof && fitsFrame(thrown))) throw thrown
        const token = await account.mfa.token(demand.action, demand.requestHash, { signal: own })
        if (token === undefined) throw thrown
        return send(sender, own, { mfaToken: token })
      }
    }
    /** The frame may ask for the second factor, if one is demanded, together with the consent: the user is asked once. */
    const sendVisible = async (sender: Sender<WaasMessages>, own: AbortSignal) => {
      if (FACTORS[type] === undefined) return sendProved(sender, own)
      const hash = await requestHashOf(await operationOf(type, keyed))
      const statement = () => account.signSession({ operation: FACTOR_OPERATION, hash })
      try {
        return await sendProved(sender, own, { signedMfa: await statement() })
      } catch (thrown) {
        const enrolmentId = enrolmentOf(toFault(thrown))
        if (enrolmentId === undefined) throw thrown
        // The page's passkey says yes to this very enrolment; `account` asks the user for it.
        const path = `/mfa/frame-passkeys/${encodeURIComponent(enrolmentId)}/confirm`
        await account.request(path, { method: 'POST', signal: own })
        return sendProved(sender, own, { signedMfa: await statement() })
      }
    }
    const inVisibleFrame = () => {
      // The visible one downloads by the hidden one, so that comes too; before it is there, nothing is asked of the user.
      const hidden = frame().ready()
      hidden.catch(() => {}) // heard below, unless the visible one fails first
      return withVisibleFrame(
        {
          parameters,
          clock,
          logger,
          authToken: () => authTokenOf(kernel, tenure),
          rejected: userRejected,
          container: displayContainer,
          signal,
        },
        async (sender, own) => {
          await unlessAborted(hidden, own)
          return sendVisible(sender, own)
        },
      )
    }
    if (signal.aborted) throw toFault(signal.reason)
    if (visible) return inVisibleFrame()
    const sender = await unlessAborted(frame().ready(), signal)
    try {
      return await sendProved(sender, signal)
    } catch (thrown) {
      if (silent || !(fitsFrame(thrown) || toFault(thrown).code === consentRequired.code)) throw thrown
      events.emit('waas:consent', { operation: type, address })
      return inVisibleFrame()
    }
  }
}
