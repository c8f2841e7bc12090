/** What a protocol is to the messenger: for each type two schemas, and whether a message may be sent again. Types only. */
import type { Clock } from '@keybay/kernel/spec'
import type { GenericSchema } from 'valibot'
import type { Progress } from './wallet.js'

/**
 * May it be sent again when nobody acknowledged it? `safe`: yes, it only reads or changes nothing twice. `keyed`: yes,
 * since it carries an `idempotencyKey`. `never`: its sender has to know.
 */
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
  /** Its abort reaches the handler too. */
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: Progress) => void) | undefined
}
export interface FalseNegative {
  readonly type: string
  /** From sending to the acknowledgement, ms. */
  readonly after: number
}
export interface SenderOptions {
  readonly clock: Clock
  /**
   * Asked when a message was not acknowledged: is the other side there? Resolves with a new port when it had to be loaded
   * anew, with nothing when the old one is good. Rejects when there is nobody; that closes the sender.
   */
  readonly recover?: (() => Promise<MessagePort | undefined>) | undefined
  /** Called when a new port is in use, before anything is sent again: what is sent in it goes first. */
  readonly greet?: (() => void) | undefined
  /** It was given up too early, or would have been. */
  readonly onFalseNegative?: ((report: FalseNegative) => void) | undefined
}
/** The side that asks. */
export interface Sender<M extends Exchanges<M>> {
  /**
   * @throws KeybayError what the handler threw; `no_handlers_registered`; `aborted`; `messenger_closed`;
   *   `message_malformed`, `authority_missing`, `raw_message_length`, … before anything was sent
   */
  send<const T extends keyof M & string>(
    type: T,
    payload: M[T]['payload'],
    options?: SendOptions,
  ): Promise<M[T]['result']>
  /** Resolves when the other side answers, with no handler between. @throws KeybayError when it does not in `ms` */
  ping(ms: number): Promise<void>
  /** Whoever waits is rejected; the port is closed. */
  close(): void
}

export interface HandlerContext {
  /** Aborts when the sender does not want the answer any more, or has gone. */
  readonly signal: AbortSignal
  progress(progress: Progress): void
  /** What is to be done when the handler has ended, whichever way, and whoever still waits. */
  atEnd(act: () => void): void
}
export type Handlers<M extends Exchanges<M>> = {
  readonly [T in keyof M]?: (
    payload: M[T]['payload'],
    context: HandlerContext,
  ) => M[T]['result'] | Promise<M[T]['result']>
}
