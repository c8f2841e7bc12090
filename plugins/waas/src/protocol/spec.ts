/** Types of a protocol: two schemas per message type, and whether the message may be sent again. */
import type { Clock } from '@keybay/kernel/spec'
import type { GenericSchema } from 'valibot'
import type { Progress } from './wallet.js'

/** Class of a message. A `safe` or `keyed` one (by its `idempotencyKey`) is sent again if it is not acknowledged. */
export type Resend = 'safe' | 'keyed' | 'never'
export interface MessageSpec<Payload, Result> {
  readonly payload: GenericSchema<Payload>
  readonly result: GenericSchema<Result>
  readonly resend: Resend
}
/** type → payload and result, as `WaasMessages`. */
export type Exchanges<M> = { readonly [T in keyof M]: { readonly payload: unknown; readonly result: unknown } }
export type Protocol<M extends Exchanges<M>> = {
  readonly [T in keyof M]: MessageSpec<M[T]['payload'], M[T]['result']>
}

export interface SendOptions {
  /** Its abort also reaches the handler. */
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: Progress) => void) | undefined
}
export interface FalseNegative {
  readonly type: string
  /** From sending to the acknowledgement, in ms. */
  readonly after: number
}
export interface SenderOptions {
  readonly clock: Clock
  /** Called without an acknowledgement. Resolves with a new port, if the old is dead. A rejection closes the sender. */
  readonly recover?: (() => Promise<MessagePort | undefined>) | undefined
  /** Called when a new port is in use. Messages sent in it go before the repeated ones. */
  readonly greet?: (() => void) | undefined
  /** Called when an acknowledgement arrives after its timeout. */
  readonly onFalseNegative?: ((report: FalseNegative) => void) | undefined
}
export interface Sender<M extends Exchanges<M>> {
  /** @throws the handler's error; `no_handlers_registered`; `aborted`; `messenger_closed`; those of `checkPayload` */
  send<const T extends keyof M & string>(
    type: T,
    payload: M[T]['payload'],
    options?: SendOptions,
  ): Promise<M[T]['result']>
  /** Resolves with the other side's pong; no handler takes part. @throws KeybayError without a pong in `ms` */
  ping(ms: number): Promise<void>
  /** Rejects pending messages and closes the port. */
  close(): void
}

export interface HandlerContext {
  /** Aborts when the sender cancels the request or closes. */
  readonly signal: AbortSignal
  progress(progress: Progress): void
  /** Registers a function that runs when the handler has ended, also after an error or an abort. */
  atEnd(act: () => void): void
}
export type Handlers<M extends Exchanges<M>> = {
  readonly [T in keyof M]?: (
    payload: M[T]['payload'],
    context: HandlerContext,
  ) => M[T]['result'] | Promise<M[T]['result']>
}
