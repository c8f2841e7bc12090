/** A message that was sent and has no result yet. */
import { type Clock, KeybayError, toKeybayError } from '@keybay/kernel/spec'
import { checkPayload, checkResult } from './check.js'
import { messengerClosed } from './errors.js'
import type { MessageSpec, SendOptions } from './spec.js'
import { compact } from './wire.js'

export interface PendingMessage {
  /** Changes with a new port, whose receiver counts from the start. */
  id: number
  readonly type: string
  readonly payload: unknown
  readonly mayResend: boolean
  readonly onProgress: SendOptions['onProgress']
  sentAt: number
  isAcknowledged: boolean
  /** Waits until the sender knows whether the frame is alive. */
  isRecovering: boolean
  isResent: boolean
  /** Checks the result, then settles. */
  resolve(result: unknown): void
  reject(error: KeybayError): void
}
interface PendingOptions<P, R> {
  readonly id: number
  readonly type: string
  readonly spec: MessageSpec<P, R>
  readonly payload: unknown
  readonly options: SendOptions
  /** Used when the message needs an idempotency key and the payload has none. */
  readonly newKey: () => string
  readonly onAbort: (message: PendingMessage) => void
}

function withKey(payload: unknown, newKey: () => string): object {
  const request = Object(payload)
  return request.idempotencyKey === undefined ? { ...request, idempotencyKey: newKey() } : request
}

/** @throws KeybayError as `checkPayload` */
export function createPending<P, R>({
  id,
  type,
  spec,
  payload,
  options: { signal, onProgress },
  newKey,
  onAbort,
}: PendingOptions<P, R>): { readonly message: PendingMessage; readonly result: Promise<R> } {
  checkPayload(type, spec.payload, payload)
  const { promise, resolve, reject } = withResolvers<R>()
  const abort = () => {
    onAbort(message)
    reject(toKeybayError(signal?.reason))
  }
  const message: PendingMessage = {
    id,
    type,
    payload: compact(spec.resend === 'keyed' ? withKey(payload, newKey) : payload),
    mayResend: spec.resend !== 'never',
    onProgress,
    sentAt: 0,
    isAcknowledged: false,
    isRecovering: false,
    isResent: false,
    resolve(result) {
      signal?.removeEventListener('abort', abort)
      try {
        checkResult(type, spec.result, result)
        resolve(result)
      } catch (error) {
        reject(error)
      }
    },
    reject(error) {
      signal?.removeEventListener('abort', abort)
      reject(error)
    },
  }
  signal?.addEventListener('abort', abort)
  return { message, result: promise }
}

function withResolvers<T>() {
  let resolve: (value: T) => void = () => {}
  let reject: (error: unknown) => void = () => {}
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve
    reject = onReject
  })
  return { promise, resolve, reject }
}

export interface Pings {
  /** Resolves with the pong. @throws KeybayError `messenger_closed` after `ms`, or at the end */
  wait(id: number, ms: number): Promise<void>
  resolve(id: number): void
  end(): void
}

export function createPings(clock: Clock): Pings {
  const pending = new Map<number, (error?: KeybayError) => void>()
  return {
    wait: (id, ms) =>
      new Promise((resolve, reject) => {
        const settle = (error?: KeybayError) => {
          stop()
          pending.delete(id)
          if (error) reject(error)
          else resolve()
        }
        const stop = clock.after(ms, () => settle(new KeybayError(messengerClosed)))
        pending.set(id, settle)
      }),
    resolve: id => pending.get(id)?.(),
    end() {
      for (const settle of pending.values()) settle(new KeybayError(messengerClosed))
    },
  }
}
