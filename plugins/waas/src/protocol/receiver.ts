/** The receiving side: checks each request, acknowledges it, and resolves or rejects it. */
import { type Clock, KeybayError, noHandlersRegistered, withValues } from '@keybay/kernel/spec'
import { checkPayload, checkResult } from './check.js'
import { createIdempotency } from './idempotency.js'
import { createOutbox, type Outbox } from './outbox.js'
import type { Exchanges, HandlerContext, Handlers, Protocol } from './spec.js'
import {
  ABORTED,
  ACKNOWLEDGED,
  compact,
  type Envelope,
  encodeError,
  PING,
  PONG,
  PROGRESS,
  REJECTED,
  REQUEST,
  RESOLVED,
  readEnvelopes,
} from './wire.js'

export interface ReceiverOptions {
  readonly clock: Clock
}
export interface Receiver {
  /** Aborts running handlers and closes the port. */
  close(): void
}
/** Microtasks that a finished handler may need for its result. Waiting for them is cheaper than an acknowledgement. */
const RESULT_MICROTASKS = 10
type Run = (payload: unknown, context: HandlerContext) => unknown

function isPromise(value: unknown): value is Promise<unknown> {
  return value instanceof Promise
}

function getKey(payload: unknown): string | undefined {
  const key: unknown = Reflect.get(Object(payload), 'idempotencyKey')
  return typeof key === 'string' ? key : undefined
}

/** Wraps each handler with the checks of its payload and result. A map, so that a message `constructor` finds nothing. */
function wrapHandlers<M extends Exchanges<M>>(protocol: Protocol<M>, handlers: Handlers<M>, clock: Clock) {
  const idempotency = createIdempotency(clock)
  const runs = new Map<string, Run>()
  const wrap = <T extends keyof M & string>(type: T) => {
    const handler = handlers[type]
    const { payload: schema, result: resultSchema } = protocol[type]
    if (!handler) return
    const check = (result: unknown) => {
      checkResult(type, resultSchema, result)
      return compact(result)
    }
    runs.set(type, (payload, context) => {
      checkPayload(type, schema, payload)
      const run = () => {
        const result = handler(payload, context)
        return isPromise(result) ? result.then(check) : check(result)
      }
      const key = getKey(payload)
      return key ? idempotency.once(type, key, Object(payload), run) : run()
    })
  }
  for (const type in protocol) wrap(type)
  return runs
}

/** Acknowledges with the next task, unless the result is ready. No timer: browsers delay timers of hidden frames. */
class Acknowledgements {
  readonly #post: (ids: readonly number[]) => void
  readonly #channel = new MessageChannel()
  #ids = new Set<number>()

  constructor(post: (ids: readonly number[]) => void) {
    this.#post = post
    this.#channel.port1.onmessage = () => {
      const ids = [...this.#ids]
      this.#ids = new Set()
      if (ids.length) this.#post(ids)
    }
  }

  add(id: number): void {
    this.#ids.add(id)
    if (this.#ids.size === 1) void this.#schedule()
  }

  delete(id: number): void {
    this.#ids.delete(id)
  }

  close(): void {
    this.#ids.clear()
    this.#channel.port1.close()
  }

  async #schedule(): Promise<void> {
    for (let turn = 0; turn < RESULT_MICROTASKS && this.#ids.size; turn++) await undefined
    if (this.#ids.size) this.#channel.port2.postMessage(0)
  }
}

/** A request whose handler runs. Creates its signal when a handler reads it: most handlers do not. */
class RunningRequest {
  readonly context: HandlerContext
  readonly #cleanups: (() => void)[] = []
  #control: AbortController | undefined
  #isAborted = false

  constructor(progress: HandlerContext['progress']) {
    const getSignal = () => this.#getSignal()
    this.context = {
      get signal() {
        return getSignal()
      },
      progress,
      atEnd: cleanup => void this.#cleanups.push(cleanup),
    }
  }

  #getSignal(): AbortSignal {
    this.#control ??= new AbortController()
    if (this.#isAborted) this.#control.abort()
    return this.#control.signal
  }

  abort(): void {
    this.#isAborted = true
    this.#control?.abort()
  }

  end(): void {
    for (const cleanup of this.#cleanups) cleanup()
  }
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
  return new PortReceiver(port, wrapHandlers(protocol, handlers, clock))
}

class PortReceiver implements Receiver {
  readonly #port: MessagePort
  readonly #runs: ReadonlyMap<string, Run>
  readonly #outbox: Outbox
  readonly #acknowledgements: Acknowledgements
  readonly #running = new Map<number, RunningRequest>()
  #highestId = 0
  #isClosed = false

  constructor(port: MessagePort, runs: ReadonlyMap<string, Run>) {
    this.#port = port
    this.#runs = runs
    this.#outbox = createOutbox(port, ([kind, id, content]) => {
      // The details of the error cannot be cloned.
      port.postMessage([kind, id, { ...Object(content), details: undefined }])
    })
    this.#acknowledgements = new Acknowledgements(ids => this.#outbox.put([ACKNOWLEDGED, 0, ids]))
    port.onmessage = ({ data }: { readonly data: unknown }) => {
      for (const envelope of readEnvelopes(data)) this.#receive(envelope)
    }
    // The page is gone, so no result can reach it.
    port.addEventListener('close', this.close)
  }

  readonly close = (): void => {
    if (this.#isClosed) return
    this.#isClosed = true
    for (const request of this.#running.values()) request.abort()
    this.#running.clear()
    this.#outbox.flush()
    this.#port.close()
    this.#acknowledgements.close()
  }

  #receive([kind, id, type, payload]: Envelope): void {
    if (kind === REQUEST && typeof type === 'string') this.#start(id, type, payload)
    else if (kind === ABORTED) this.#running.get(id)?.abort()
    else if (kind === PING) this.#outbox.put([PONG, id])
  }

  #start(id: number, type: string, payload: unknown): void {
    if (id <= this.#highestId) {
      // A repeat. The port keeps the order, so the first request has its result or still runs.
      if (this.#running.has(id)) this.#acknowledgements.add(id)
      return
    }
    this.#highestId = id
    const request = new RunningRequest(progress => {
      if (this.#running.has(id)) this.#outbox.put([PROGRESS, id, progress])
    })
    const resolve = (result: unknown) => this.#settle(id, request, RESOLVED, result)
    const reject = (error: unknown) => this.#settle(id, request, REJECTED, encodeError(error))
    try {
      const run = this.#runs.get(type)
      if (!run) throw new KeybayError(withValues(noHandlersRegistered, { type: type.slice(0, 100) }))
      this.#running.set(id, request)
      const result = run(payload, request.context)
      if (isPromise(result)) {
        this.#acknowledgements.add(id)
        result.then(resolve, reject)
      } else resolve(result)
    } catch (error) {
      reject(error)
    }
  }

  #settle(id: number, request: RunningRequest, kind: typeof RESOLVED | typeof REJECTED, content: unknown): void {
    this.#acknowledgements.delete(id)
    this.#running.delete(id)
    if (!this.#isClosed) this.#outbox.put([kind, id, content])
    request.end()
  }
}
