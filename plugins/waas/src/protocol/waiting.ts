/** One message that was sent, until it is settled. */
import type { KeybayError } from '@keybay/kernel'
import { checkPayload, checkResult } from './check.js'
import { toFault } from './fault.js'
import type { MessageSpec, SendOptions } from './spec.js'
import { compact } from './wire.js'

export interface Waiting {
  /** Another one after a new port: its other side counts what it has heard. */
  id: number
  readonly type: string
  readonly payload: unknown
  readonly mayResend: boolean
  readonly onProgress: SendOptions['onProgress']
  sentAt: number
  acknowledged: boolean
  recovering: boolean
  resent: boolean
  /** With the answer as it came: it is checked here. */
  settle(value: unknown): void
  reject(error: KeybayError): void
}
interface Start<P, R> {
  readonly id: number
  readonly type: string
  readonly spec: MessageSpec<P, R>
  readonly payload: unknown
  readonly options: SendOptions
  /** Where the message needs one and brings none. */
  readonly newKey: () => string
  /** The signal aborted: nobody wants the answer any more. */
  readonly onAbort: (one: Waiting) => void
}

function withKey(payload: unknown, newKey: () => string): object {
  const request = Object(payload)
  return request.idempotencyKey === undefined ? { ...request, idempotencyKey: newKey() } : request
}

/** @throws KeybayError what is wrong with the payload */
export function createWaiting<P, R>({
  id,
  type,
  spec,
  payload,
  options: { signal, onProgress },
  newKey,
  onAbort,
}: Start<P, R>): { readonly one: Waiting; readonly answer: Promise<R> } {
  checkPayload(type, spec.payload, payload)
  let resolve: (value: R) => void = () => {}
  let reject: (error: unknown) => void = () => {}
  const answer = new Promise<R>((yes, no) => {
    resolve = yes
    reject = no
  })
  const leave = () => {
    onAbort(one)
    reject(toFault(signal?.reason))
  }
  const settled = () => signal?.removeEventListener('abort', leave)
  const one: Waiting = {
    id,
    type,
    payload: compact(spec.resend === 'keyed' ? withKey(payload, newKey) : payload),
    mayResend: spec.resend !== 'never',
    onProgress,
    sentAt: 0,
    acknowledged: false,
    recovering: false,
    resent: false,
    settle(value) {
      settled()
      try {
        checkResult(type, spec.result, value)
        resolve(value)
      } catch (error) {
        reject(error)
      }
    },
    reject(error) {
      settled()
      reject(error)
    },
  }
  signal?.addEventListener('abort', leave)
  return { one, answer }
}
