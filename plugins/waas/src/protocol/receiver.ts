/** The side that answers: each request is checked, acknowledged, and then resolved or rejected. */
import type { Clock } from '@keybay/kernel'
import { noHandlersRegistered, withValues } from '@keybay/kernel/spec'
import { checkPayload, checkResult } from './check.js'
import { fault } from './fault.js'
import { createMemory } from './memory.js'
import { createOutbox } from './outbox.js'
import type { Exchanges, HandlerContext, Handlers, Protocol } from './spec.js'
import {
  ABORTED,
  ACKNOWLEDGED,
  compact,
  type Envelope,
  encodeError,
  envelopesOf,
  PING,
  PONG,
  PROGRESS,
  REJECTED,
  REQUEST,
  RESOLVED,
} from './wire.js'

export interface ReceiverOptions {
  readonly clock: Clock
}
export interface Receiver {
  /** What is under way is aborted; the port is closed. */
  close(): void
}
/** Microtasks that an answer may need which is there already: cheaper than to ring for it. */
const HOPS = 10
type Run = (payload: unknown, context: HandlerContext) => unknown

function isPromise(value: unknown): value is Promise<unknown> {
  return value instanceof Promise
}

function keyOf(payload: unknown): string | undefined {
  const key: unknown = Reflect.get(Object(payload), 'idempotencyKey')
  return typeof key === 'string' ? key : undefined
}

/**
 * @example
 * createReceiver(waasProtocol, port, { getWallets: async ({ authToken }, { signal }) => … }, { clock: systemClock })
 */
export function createReceiver<M extends Exchanges<M>>(
  protocol: Protocol<M>,
  port: MessagePort,
  handlers: Handlers<M>,
  { clock }: ReceiverOptions,
): Receiver {
  const memory = createMemory(clock)
  /** By name in a map: a message of type `constructor` finds nothing. */
  const runs = new Map<string, Run>()
  const register = <T extends keyof M & string>(type: T) => {
    const handler = handlers[type]
    const { payload: schema, result } = protocol[type]
    if (!handler) return
    const checked = (answer: unknown) => {
      checkResult(type, result, answer)
      return compact(answer)
    }
    runs.set(type, (payload, context) => {
      checkPayload(type, schema, payload)
      const run = () => {
        const answer = handler(payload, context)
        return isPromise(answer) ? answer.then(checked) : checked(answer)
      }
      const key = keyOf(payload)
      return key ? memory.once(type, key, Object(payload), run) : run()
    })
  }
  for (const type in protocol) register(type)

  const outbox = createOutbox(port, ([kind, id, content]) => {
    // Its details cannot be cloned.
    port.postMessage([kind, id, { ...Object(content), details: undefined }])
  })
  const running = new Map<number, { abort(): void }>()
  let highest = 0
  let closed = false

  // Not a timer: browsers hold those of a hidden frame back for up to a minute, and 5 s are allowed.
  const { port1: bell, port2: rope } = new MessageChannel()
  let unacknowledged = new Set<number>()
  bell.onmessage = () => {
    if (unacknowledged.size && !closed) outbox.put([ACKNOWLEDGED, 0, [...unacknowledged]])
    unacknowledged = new Set()
  }
  const ring = async () => {
    for (let hop = 0; hop < HOPS && unacknowledged.size; hop++) await undefined
    if (unacknowledged.size && !closed) rope.postMessage(0)
  }
  /** With the next task: an answer that is ready before then acknowledges by itself, and one post does for many. */
  const acknowledge = (id: number) => {
    unacknowledged.add(id)
    if (unacknowledged.size === 1) void ring()
  }
  const settle = (id: number, kind: typeof RESOLVED | typeof REJECTED, content: unknown) => {
    unacknowledged.delete(id)
    running.delete(id)
    if (!closed) outbox.put([kind, id, content])
  }
  const begin = (id: number, type: string, payload: unknown) => {
    if (id <= highest) {
      // Sent again: the port keeps the order, so the first one has been answered, or is under way.
      if (running.has(id)) acknowledge(id)
      return
    }
    highest = id
    // Made when a handler asks for it: most do not.
    let control: AbortController | undefined
    let endings: (() => void)[] | undefined
    let stopped = false
    const context: HandlerContext = {
      get signal() {
        control ??= new AbortController()
        if (stopped) control.abort()
        return control.signal
      },
      progress(progress) {
        if (running.has(id)) outbox.put([PROGRESS, id, progress])
      },
      atEnd(act) {
        endings ??= []
        endings.push(act)
      },
    }
    const end = (kind: typeof RESOLVED | typeof REJECTED, content: unknown) => {
      settle(id, kind, content)
      for (const act of endings ?? []) act()
    }
    const failed = (error: unknown) => end(REJECTED, encodeError(error))
    try {
      const run = runs.get(type)
      if (!run) throw fault(withValues(noHandlersRegistered, { type: type.slice(0, 100) }))
      running.set(id, {
        abort() {
          stopped = true
          control?.abort()
        },
      })
      const answer = run(payload, context)
      if (!isPromise(answer)) return end(RESOLVED, answer)
      acknowledge(id)
      answer.then(value => end(RESOLVED, value), failed)
    } catch (error) {
      failed(error)
    }
  }
  const take = ([kind, id, type, payload]: Envelope) => {
    if (kind === REQUEST && typeof type === 'string') begin(id, type, payload)
    else if (kind === ABORTED) running.get(id)?.abort()
    else if (kind === PING) outbox.put([PONG, id])
  }
  port.onmessage = ({ data }: { readonly data: unknown }) => {
    for (const envelope of envelopesOf(data)) take(envelope)
  }
  return {
    close() {
      if (closed) return
      closed = true
      for (const one of running.values()) one.abort()
      running.clear()
      outbox.flush()
      port.close()
      bell.close()
    },
  }
}
