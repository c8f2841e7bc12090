/** The sending side: sent → acknowledged → resolved or rejected (S4.10); recovery (S4.11); late reports (S4.12). */
import {
  KeybayError,
  MESSAGE_ACKNOWLEDGEMENT_TIMEOUT_MS,
  noHandlersRegistered,
  toKeybayError,
  withValues,
} from '@keybay/kernel/spec'
import { is } from 'valibot'
import { messengerClosed } from './errors.js'
import { progress as progressSchema } from './fields.js'
import { createOutbox, type Outbox } from './outbox.js'
import { createPending, createPings, type PendingMessage, type Pings } from './pending.js'
import { randomText } from './random.js'
import type { Exchanges, Protocol, Sender, SenderOptions, SendOptions } from './spec.js'
import {
  ABORTED,
  ACKNOWLEDGED,
  decodeError,
  type Envelope,
  PING,
  PONG,
  PROGRESS,
  REJECTED,
  REQUEST,
  RESOLVED,
  readEnvelopes,
} from './wire.js'

/** Number of expired messages that are remembered for a late acknowledgement. */
const MAX_EXPIRED = 100
/** Without the payload, which may hold secrets. */
type ExpiredMessage = Pick<PendingMessage, 'type' | 'sentAt'>

export function createSender<M extends Exchanges<M>>(
  protocol: Protocol<M>,
  port: MessagePort,
  options: SenderOptions,
): Sender<M> {
  return new PortSender(protocol, port, options)
}

class PortSender<M extends Exchanges<M>> implements Sender<M> {
  readonly #protocol: Protocol<M>
  readonly #options: SenderOptions
  readonly #pings: Pings
  readonly #pending = new Map<number, PendingMessage>()
  readonly #expired = new Map<number, ExpiredMessage>()
  /** Makes the idempotency keys of this sender unique. */
  readonly #keyPrefix = randomText()
  #port: MessagePort
  #outbox: Outbox
  #lastId = 0
  #isClosed = false
  #stopTimer: (() => void) | undefined
  #recovery: Promise<MessagePort | undefined> | undefined

  constructor(protocol: Protocol<M>, port: MessagePort, options: SenderOptions) {
    this.#protocol = protocol
    this.#options = options
    this.#pings = createPings(options.clock)
    this.#port = port
    this.#outbox = this.#listen(port)
  }

  readonly send = async <const T extends keyof M & string>(
    type: T,
    payload: M[T]['payload'],
    options: SendOptions = {},
  ): Promise<M[T]['result']> => {
    if (this.#isClosed) throw new KeybayError(messengerClosed)
    if (options.signal?.aborted) throw toKeybayError(options.signal.reason)
    const id = ++this.#lastId
    const { message, result } = createPending({
      id,
      type,
      spec: this.#protocol[type],
      payload,
      options,
      newKey: () => `${this.#keyPrefix}.${id}`,
      onAbort: ({ id: currentId }) => {
        this.#pending.delete(currentId)
        this.#outbox.put([ABORTED, currentId])
      },
    })
    this.#post(message)
    return result
  }

  readonly ping = (ms: number): Promise<void> => {
    const id = ++this.#lastId
    const pong = this.#pings.wait(id, ms)
    this.#outbox.put([PING, id])
    return pong
  }

  readonly close = (): void => {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#stopTimer?.()
    for (const id of this.#pending.keys()) this.#outbox.put([ABORTED, id])
    this.#outbox.flush()
    this.#port.close()
    for (const message of this.#pending.values()) message.reject(new KeybayError(messengerClosed))
    this.#pending.clear()
    this.#pings.end()
  }

  #listen(port: MessagePort): Outbox {
    port.onmessage = ({ data }: { readonly data: unknown }) => {
      for (const envelope of readEnvelopes(data)) this.#receive(envelope)
    }
    // Where the browser reports a closed port, messages need not wait 5 s for a frame that is gone.
    port.addEventListener('close', () => {
      if (this.#isClosed || port !== this.#port) return
      for (const message of this.#pending.values()) {
        message.isAcknowledged = false
        if (!message.isRecovering) this.#handleTimeout(message)
      }
    })
    return createOutbox(port, ([, id], error) => {
      this.#pending.get(id)?.reject(toKeybayError(error))
      this.#pending.delete(id)
    })
  }

  #receive([kind, id, content]: Envelope): void {
    if (kind === ACKNOWLEDGED)
      for (const acknowledged of Array.isArray(content) ? content : [id]) this.#acknowledge(acknowledged)
    else if (kind === PROGRESS) {
      const message = this.#acknowledge(id)
      if (is(progressSchema, content)) message?.onProgress?.(content)
    } else if (kind === RESOLVED) this.#takePending(id)?.resolve(content)
    else if (kind === REJECTED) this.#takePending(id)?.reject(decodeError(content))
    else if (kind === PONG) this.#pings.resolve(id)
  }

  #takePending(id: number): PendingMessage | undefined {
    const message = this.#acknowledge(id)
    this.#pending.delete(id)
    return message
  }

  #acknowledge(id: unknown): PendingMessage | undefined {
    if (typeof id !== 'number') return undefined
    const expired = this.#expired.get(id)
    if (expired) {
      this.#expired.delete(id)
      this.#reportLate(expired)
    }
    const message = this.#pending.get(id)
    if (!message) return undefined
    if (message.isRecovering) this.#reportLate(message)
    message.isAcknowledged = true
    message.isRecovering = false
    return message
  }

  #post(message: PendingMessage): void {
    this.#pending.set(message.id, message)
    message.sentAt = this.#options.clock.now()
    message.isRecovering = false
    this.#outbox.put([REQUEST, message.id, message.type, message.payload])
    this.#startTimer(MESSAGE_ACKNOWLEDGEMENT_TIMEOUT_MS)
  }

  /** One timer serves all messages: their timeout is the same, so the first message sent expires first. */
  #startTimer(ms: number): void {
    this.#stopTimer ??= this.#options.clock.after(ms, () => this.#checkTimeouts())
  }

  #checkTimeouts(): void {
    this.#stopTimer = undefined
    const now = this.#options.clock.now()
    let next: number | undefined
    for (const message of this.#pending.values()) {
      if (message.isAcknowledged || message.isRecovering) continue
      const left = message.sentAt + MESSAGE_ACKNOWLEDGEMENT_TIMEOUT_MS - now
      if (left <= 0) this.#handleTimeout(message)
      else next = Math.min(next ?? left, left, MESSAGE_ACKNOWLEDGEMENT_TIMEOUT_MS)
    }
    if (next !== undefined) this.#startTimer(next)
  }

  #handleTimeout(message: PendingMessage): void {
    const recovery = this.#recover()
    if (message.isResent || !message.mayResend) {
      this.#expire(message)
      return
    }
    message.isRecovering = true
    recovery.then(
      () => {
        // Skips a message that was acknowledged, aborted, or sent over a new port during the recovery.
        if (!this.#pending.has(message.id) || !message.isRecovering) return
        message.isResent = true
        this.#post(message)
      },
      cause => this.#expire(message, cause),
    )
  }

  #expire(message: PendingMessage, cause?: unknown): void {
    const { id, type, sentAt } = message
    if (!this.#pending.delete(id)) return
    this.#expired.set(id, { type, sentAt })
    const [oldest] = this.#expired.keys()
    if (this.#expired.size > MAX_EXPIRED && oldest !== undefined) this.#expired.delete(oldest)
    message.reject(new KeybayError(withValues(noHandlersRegistered, { type }), { cause }))
  }

  #reportLate({ type, sentAt }: ExpiredMessage): void {
    this.#options.onFalseNegative?.({ type, after: this.#options.clock.now() - sentAt })
  }

  #recover(): Promise<MessagePort | undefined> {
    if (this.#recovery) return this.#recovery
    const recovery = this.#runRecovery().finally(() => {
      this.#recovery = undefined
    })
    recovery.catch(() => {}) // each message that waits handles the error
    this.#recovery = recovery
    return recovery
  }

  async #runRecovery(): Promise<MessagePort | undefined> {
    const { recover } = this.#options
    if (!recover) throw new KeybayError(messengerClosed)
    try {
      const port = await recover()
      if (port && this.#isClosed) port.close()
      else if (port && port !== this.#port) this.#moveTo(port)
      return port
    } catch (cause) {
      // The frame is gone, also for messages that it acknowledged.
      for (const message of [...this.#pending.values()]) this.#expire(message, cause)
      this.close()
      throw cause
    }
  }

  /** The new port has no results for requests of the old one, so those that may be are sent again. */
  #moveTo(port: MessagePort): void {
    this.#port.close()
    this.#port = port
    this.#outbox = this.#listen(port)
    const messages = [...this.#pending.values()]
    this.#pending.clear()
    this.#options.greet?.()
    for (const message of messages) {
      if (message.isResent || !message.mayResend) {
        message.reject(new KeybayError(messengerClosed))
        continue
      }
      message.id = ++this.#lastId
      message.isAcknowledged = false
      message.isResent = true
      this.#post(message)
    }
  }
}
