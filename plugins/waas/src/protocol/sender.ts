/**
 * The side that asks: sent → acknowledged → resolved or rejected (S4.10). What nobody acknowledges within 5 s is sent
 * once more after a recovery, if it may be (S4.11); an acknowledgement that comes later still is reported (S4.12).
 */
import { MESSAGE_ACKNOWLEDGEMENT_TIMEOUT_MS, noHandlersRegistered, withValues } from '@keybay/kernel/spec'
import { is } from 'valibot'
import { randomText } from './bytes.js'
import { messengerClosed } from './errors.js'
import { fault, toFault } from './fault.js'
import { progress as progressSchema } from './fields.js'
import { createOutbox, type Outbox } from './outbox.js'
import { createPings } from './pings.js'
import type { Exchanges, Protocol, Sender, SenderOptions } from './spec.js'
import { createWaiting, type Waiting } from './waiting.js'
import {
  ABORTED,
  ACKNOWLEDGED,
  decodeError,
  type Envelope,
  envelopesOf,
  PING,
  PONG,
  PROGRESS,
  REJECTED,
  REQUEST,
  RESOLVED,
} from './wire.js'

/** How many given up messages are remembered, so that a late acknowledgement has a name. */
const MOST_REMEMBERED = 100

export function createSender<M extends Exchanges<M>>(
  protocol: Protocol<M>,
  firstPort: MessagePort,
  { clock, recover, greet, onFalseNegative }: SenderOptions,
): Sender<M> {
  const waiting = new Map<number, Waiting>()
  /** Without their payloads: there may be secrets in them. */
  const givenUp = new Map<number, Pick<Waiting, 'type' | 'sentAt'>>()
  const pings = createPings(clock)
  /** Of the keys of its messages: nobody else's are alike. */
  const name = randomText()
  let port = firstPort
  let lastId = 0
  let closed = false
  let disarm: (() => void) | undefined
  let recovery: Promise<MessagePort | undefined> | undefined

  const report = ({ type, sentAt }: Pick<Waiting, 'type' | 'sentAt'>) =>
    onFalseNegative?.({ type, after: clock.now() - sentAt })
  const giveUp = (one: Waiting, cause?: unknown) => {
    if (!waiting.delete(one.id)) return
    givenUp.set(one.id, { type: one.type, sentAt: one.sentAt })
    const [oldest] = givenUp.keys()
    if (givenUp.size > MOST_REMEMBERED && oldest !== undefined) givenUp.delete(oldest)
    one.reject(fault(withValues(noHandlersRegistered, { type: one.type }), { cause }))
  }
  const post = (one: Waiting) => {
    one.sentAt = clock.now()
    one.recovering = false
    outbox.put([REQUEST, one.id, one.type, one.payload])
    arm()
  }
  /** What was not answered over there will not be answered here. */
  const moveTo = (next: MessagePort) => {
    port.close()
    port = next
    outbox = listen()
    const before = [...waiting]
    waiting.clear()
    greet?.()
    for (const [, one] of before) {
      if (one.resent || !one.mayResend) {
        one.reject(fault(messengerClosed))
        continue
      }
      one.id = ++lastId
      one.acknowledged = false
      one.resent = true
      waiting.set(one.id, one)
      post(one)
    }
  }
  const startRecovery = () => {
    recovery ??= (recover?.() ?? Promise.reject(fault(messengerClosed)))
      .then(
        next => {
          if (next && closed) next.close()
          else if (next && next !== port) moveTo(next)
          return next
        },
        cause => {
          // There is nobody any more, also not for what was acknowledged.
          for (const one of recover ? [...waiting.values()] : []) giveUp(one, cause)
          if (recover) close()
          throw cause
        },
      )
      .finally(() => {
        recovery = undefined
      })
    recovery.catch(() => {}) // whoever waits for it hears of it
    return recovery
  }
  const expire = (one: Waiting) => {
    const recovered = startRecovery()
    if (one.resent || !one.mayResend) return giveUp(one)
    one.recovering = true
    recovered.then(
      () => {
        // Acknowledged at last, aborted, or sent over the new port already.
        if (!waiting.has(one.id) || !one.recovering) return
        one.resent = true
        post(one)
      },
      cause => giveUp(one, cause),
    )
  }
  /** One timer for all: they wait equally long, so the first to be sent is the first to be late. */
  const arm = (ms = MESSAGE_ACKNOWLEDGEMENT_TIMEOUT_MS) => {
    disarm ??= clock.after(ms, look)
  }
  const look = () => {
    disarm = undefined
    const now = clock.now()
    let next: number | undefined
    for (const one of waiting.values()) {
      if (one.acknowledged || one.recovering) continue
      const left = one.sentAt + MESSAGE_ACKNOWLEDGEMENT_TIMEOUT_MS - now
      if (left <= 0) expire(one)
      else next = Math.min(next ?? left, left, MESSAGE_ACKNOWLEDGEMENT_TIMEOUT_MS)
    }
    if (next !== undefined) arm(next)
  }
  const acknowledge = (id: unknown): Waiting | undefined => {
    if (typeof id !== 'number') return undefined
    const one = waiting.get(id)
    const gone = givenUp.get(id)
    if (gone) {
      givenUp.delete(id)
      report(gone)
    }
    if (one?.recovering) report(one)
    if (!one) return undefined
    one.acknowledged = true
    one.recovering = false
    return one
  }
  const take = ([kind, id, content]: Envelope) => {
    if (kind === ACKNOWLEDGED) {
      if (Array.isArray(content)) content.forEach(acknowledge)
      else acknowledge(id)
    } else if (kind === RESOLVED || kind === REJECTED) {
      const one = acknowledge(id)
      if (!one) return
      waiting.delete(id)
      if (kind === RESOLVED) one.settle(content)
      else one.reject(decodeError(content))
    } else if (kind === PROGRESS) {
      const one = acknowledge(id)
      if (is(progressSchema, content)) one?.onProgress?.(content)
    } else if (kind === PONG) pings.answered(id)
  }
  const listen = (): Outbox => {
    const own = port
    own.onmessage = ({ data }: { readonly data: unknown }) => {
      for (const envelope of envelopesOf(data)) take(envelope)
    }
    // Where the browser says so, nobody waits 5 s for a frame that has gone.
    own.addEventListener('close', () => {
      if (closed || own !== port) return
      for (const one of waiting.values()) {
        one.acknowledged = false
        if (!one.recovering) expire(one)
      }
    })
    return createOutbox(own, ([, id], error) => {
      waiting.get(id)?.reject(toFault(error))
      waiting.delete(id)
    })
  }
  let outbox = listen()
  const onAbort = ({ id }: Waiting) => {
    waiting.delete(id)
    outbox.put([ABORTED, id])
  }
  const close = () => {
    if (closed) return
    closed = true
    disarm?.()
    outbox.flush()
    port.close()
    for (const one of waiting.values()) one.reject(fault(messengerClosed))
    waiting.clear()
    pings.end()
  }

  return {
    send(type, payload, options = {}) {
      try {
        if (closed) throw fault(messengerClosed)
        if (options.signal?.aborted) throw toFault(options.signal.reason)
        const id = ++lastId
        const spec = protocol[type]
        const newKey = () => `${name}.${id}`
        const { one, answer } = createWaiting({ id, type, spec, payload, options, newKey, onAbort })
        waiting.set(id, one)
        post(one)
        return answer
      } catch (error) {
        return Promise.reject(error)
      }
    },
    ping(ms) {
      const id = ++lastId
      const answer = pings.ask(id, ms)
      outbox.put([PING, id])
      return answer
    },
    close,
  }
}
