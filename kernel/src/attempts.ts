/** One attempt per connector at a time: joined by later callers, cancelled, timed out, and shown. */
import type { ResolvedConfig } from './config.js'
import type { Connection } from './connections.js'
import type { ConnectContext, Connector } from './connector.js'
import { aborted, connectTimeout, disposed, KeybayError, toKeybayError, userRejected } from './errors.js'
import { type Bus, createStore } from './events.js'
import type { Logger } from './logger.js'
import type { PromptQueue } from './prompts.js'
import type { Redirects } from './redirects.js'
import type { SessionState } from './session.js'

/** What a person sees of an attempt; it outlives a reload, because the redirect that ended the page resumes it. */
export interface Attempt {
  readonly connectorId: string
  readonly status: 'connecting' | 'redirecting' | 'succeeded' | 'failed'
  readonly result?: Connection | SessionState
  readonly error?: KeybayError
}
export interface Attempts {
  list(): readonly Attempt[]
  get(connectorId: string): Attempt | undefined
  subscribe(listener: () => void): () => void
  /** Cancels what is under way and forgets how the last one ended. */
  reset(connectorId: string): void
}
export interface AttemptRunner extends Attempts {
  run<T extends Connection | SessionState>(
    connector: Connector,
    how: { readonly silent: boolean; readonly resumed?: boolean; readonly signal?: AbortSignal | undefined },
    perform: (ctx: ConnectContext) => Promise<T>,
  ): Promise<Connection | SessionState>
  busy(connectorId: string): boolean
  stop(connectorId: string, reason: KeybayError): void
  /** Back from the page that we left for, without an answer. */
  stopRedirecting(): void
  dispose(): void
}
interface Running {
  readonly silent: boolean
  join(signal: AbortSignal | undefined): Promise<Connection | SessionState>
  stop(reason: unknown): void
}
/** A silent reconnect asks nobody, so it need not wait for a person. */
const SILENT_MS = 10_000

export interface AttemptParts {
  readonly config: ResolvedConfig
  readonly prompts: PromptQueue
  readonly redirects: Redirects
  readonly bus: Bus
  readonly logger: Logger
  readonly onSubscribe: () => void
}

export const createAttempts = (parts: AttemptParts): AttemptRunner => {
  const { config, prompts, redirects, bus, logger } = parts
  const { clock } = config
  const store = createStore<readonly Attempt[]>([], error => logger.error('attempt listener', error), parts.onSubscribe)
  const active = new Map<string, Running>()
  let over = false
  const get = (id: string) => store.get().find(({ connectorId }) => connectorId === id)
  const show = (id: string, next?: Attempt) => {
    const others = store.get().filter(({ connectorId }) => connectorId !== id)
    if (next || others.length < store.get().length) store.set(next ? [...others, next] : others)
  }
  const stop = (id: string, reason: unknown) => active.get(id)?.stop(reason)

  const run: AttemptRunner['run'] = (connector, { silent, resumed, signal: outer }, perform) => {
    const { id: connectorId } = connector
    if (over) return Promise.reject(new KeybayError(disposed, { connectorId }))
    const running = active.get(connectorId)
    if (running && (silent || !running.silent)) return running.join(outer)
    running?.stop(new KeybayError(aborted, { connectorId })) // the person clicked while we were reconnecting silently
    const control = new AbortController()
    const { signal } = control
    let disarm = () => {}
    const arm = () => {
      disarm = clock.after(silent ? SILENT_MS : config.connectTimeout, () =>
        control.abort(new KeybayError(connectTimeout, { connectorId })),
      )
    }
    const status = (next: Omit<Attempt, 'connectorId'>) => {
      if (!silent && active.get(connectorId) === self) show(connectorId, { connectorId, ...next })
    }
    const attend = async () => {
      const stopped = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
      })
      try {
        // Still inside the click: an async function runs at once up to its first await.
        const gesture = silent || resumed ? undefined : connector.gesture?.()
        const result = await Promise.race([stopped, perform({ ...ctx, gesture })])
        status({ status: 'succeeded', result })
        return result
      } catch (thrown) {
        const error = toKeybayError(thrown, connectorId)
        const expected = silent || error.code === userRejected.code || error.code === aborted.code
        logger[expected ? 'debug' : 'error'](`connect ${connectorId}`, error)
        status({ status: 'failed', error })
        if (!silent) bus.emit('connection:failed', { connectorId, error })
        throw error
      } finally {
        disarm()
        if (active.get(connectorId) === self) active.delete(connectorId)
        control.abort(new KeybayError(aborted, { connectorId })) // whatever still listens may stop
      }
    }
    const ctx: Omit<ConnectContext, 'gesture'> = {
      signal,
      silent,
      log: logger,
      async prompt(input) {
        if (silent) throw new KeybayError(aborted, { connectorId })
        disarm()
        try {
          return await prompts.ask(input, { connectorId, signal })
        } finally {
          if (!signal.aborted) arm()
        }
      },
      async redirect(url) {
        if (silent) throw new KeybayError(aborted, { connectorId })
        signal.throwIfAborted()
        disarm()
        status({ status: 'redirecting' })
        return redirects.leave(url, { connectorId, method: 'connect' })
      },
    }
    let waiting = 0
    let settled: Promise<Connection | SessionState>
    const self: Running = {
      silent,
      stop: reason => control.abort(reason),
      join(own) {
        waiting++
        if (!own) return settled
        return new Promise((resolve, reject) => {
          const leave = () => {
            reject(toKeybayError(own.reason, connectorId))
            if (--waiting === 0) control.abort(own.reason) // nobody is left who wants it
          }
          if (own.aborted) return leave()
          own.addEventListener('abort', leave)
          settled.then(resolve, reject).finally(() => own.removeEventListener('abort', leave))
        })
      },
    }
    active.set(connectorId, self)
    arm()
    status({ status: 'connecting' })
    if (!silent) bus.emit('connection:opening', { connectorId })
    settled = attend()
    settled.catch(() => {}) // every caller may have left
    return self.join(outer)
  }
  return {
    list: store.get,
    get,
    subscribe: store.subscribe,
    reset(id) {
      stop(id, new KeybayError(aborted, { connectorId: id }))
      show(id)
    },
    run,
    busy: id => active.has(id),
    stop,
    stopRedirecting() {
      for (const { connectorId, status } of store.get())
        if (status === 'redirecting') stop(connectorId, new KeybayError(userRejected, { connectorId }))
    },
    dispose() {
      over = true
      for (const running of active.values()) running.stop(new KeybayError(disposed))
    },
  }
}
