/** One attempt per connector at a time: joined by later callers, cancelled, timed out, and shown. */
import type { Connection } from './connections.js'
import type { ConnectContext, Connector } from './connector.js'
import type { Parts } from './parts.js'
import type { SessionState } from './session.js'
import { without } from './shape.js'
import { aborted, connectTimeout, disposed, type ErrorSpec, KeybayError, toKeybayError } from './spec/errors.js'

/** What a user sees of an attempt; it outlives a reload, because the redirect that ended the page resumes it. */
export interface Attempt {
  readonly connectorId: string
  /** `connect`, or the wallet method that came back from a redirect. */
  readonly method: string
  readonly status: 'connecting' | 'redirecting' | 'succeeded' | 'failed'
  readonly result?: Outcome | undefined
  readonly error?: KeybayError | undefined
}
export interface Attempts {
  /** In the order they began: the last one is what the user tried last. */
  list(): readonly Attempt[]
  get(connectorId: string): Attempt | undefined
  subscribe(listener: () => void): () => void
  /** Cancels what is under way and forgets how the last one ended. */
  reset(connectorId: string): void
}
/** A wallet connected, or a login signed in. */
export type Outcome = Connection | SessionState
export interface AttemptRunner extends Attempts {
  /** Ends those under way that `which` picks, with this error. */
  stop(which: (connector: Connector) => unknown, error: ErrorSpec): void
  run(connector: Connector, how: How, perform: (ctx: ConnectContext) => Promise<Outcome>): Promise<Outcome>
  busy(connectorId: string): boolean
  /** Shows what begins, or what ended without having to; the last one is last in the list. */
  begin(attempt: Attempt): void
}
interface How {
  /** A reconnect without the user: nothing is shown, asked or reported. */
  readonly silent?: boolean
  /** Back from a redirect: the click is long over. */
  readonly resumed?: boolean
  /** `connect` by default, or the wallet method that left the page. */
  readonly method?: string | undefined
  readonly signal?: AbortSignal | undefined
}
interface Running {
  readonly connector: Connector
  readonly silent: boolean
  join(signal: AbortSignal | undefined): Promise<Outcome>
  stop(reason: unknown): void
}
/** A silent reconnect asks nobody, so it need not wait for a user. */
const SILENT_MS = 10_000

export function createAttempts({
  config,
  prompts,
  redirects,
  bus,
  logger,
  makeStore,
}: Pick<Parts, 'config' | 'prompts' | 'redirects' | 'bus' | 'logger' | 'makeStore'>): AttemptRunner {
  const { clock } = config
  const store = makeStore<readonly Attempt[]>([])
  const active = new Map<string, Running>()
  const get = (id: string) => store.get().find(({ connectorId }) => connectorId === id)
  const begin = (attempt: Attempt) => store.set([...without(store.get(), attempt.connectorId), attempt])

  const run: AttemptRunner['run'] = async (
    connector,
    { silent = false, resumed, method = 'connect', signal: outer },
    perform,
  ) => {
    const { id: connectorId } = connector
    if (outer?.aborted) throw toKeybayError(outer.reason, connectorId)
    const fail = (error: ErrorSpec) => new KeybayError(error, { connectorId })
    const running = active.get(connectorId)
    if (running && (silent || !running.silent)) return running.join(outer)
    running?.stop(fail(aborted)) // the user clicked while we were reconnecting silently
    const control = new AbortController()
    const { signal } = control
    let disarm = () => {}
    /** What the answer will say once the page is left. */
    let awaited: string | undefined
    const arm = () => {
      disarm()
      disarm = clock.after(silent ? SILENT_MS : config.connectTimeout, () => control.abort(fail(connectTimeout)))
    }
    const status = (next: Pick<Attempt, 'status' | 'result' | 'error'>) => {
      if (silent || active.get(connectorId) !== self) return
      store.set(store.get().map(one => (one.connectorId === connectorId ? { connectorId, method, ...next } : one)))
    }
    const attend = async () => {
      const stopped = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
      })
      try {
        signal.throwIfAborted() // by who heard that it begins
        // Still inside the click: an async function runs at once up to its first await.
        const gesture = silent || resumed ? undefined : connector.gesture?.()
        const result = await Promise.race([stopped, perform({ ...ctx, gesture })])
        status({ status: 'succeeded', result })
        return result
      } catch (thrown) {
        const error = toKeybayError(thrown, connectorId)
        // 2 is USER_REJECTED (S3.1), whatever the code: a window that was closed has one of its own.
        const expected = silent || error.walletCode === 2 || error.code === aborted.code
        logger[expected ? 'debug' : 'error'](`${method} ${connectorId}`, error)
        status({ status: 'failed', error })
        // What comes back from a page that the user left again is nobody's; disposed, we may be leaving right now.
        if (!silent && error.code !== disposed.code) void redirects.take(connectorId, awaited)
        if (method !== 'connect') bus.emit('operation:failed', { connectorId, method, error })
        else if (!silent) bus.emit('connection:failed', { connectorId, error })
        throw error
      } finally {
        disarm()
        if (active.get(connectorId) === self) active.delete(connectorId)
        control.abort() // whatever still listens may stop
      }
    }
    const attended = () => {
      if (silent) throw fail(aborted)
      signal.throwIfAborted()
      disarm() // a user may take long
    }
    const ctx: Omit<ConnectContext, 'gesture'> = {
      signal,
      silent,
      log: logger,
      async prompt(input) {
        attended()
        try {
          return await prompts.ask(input, { connectorId, signal })
        } finally {
          if (!signal.aborted) arm()
        }
      },
      async redirect(url, state) {
        attended()
        status({ status: 'redirecting' })
        awaited = state
        return redirects.leave(url, { connectorId, method, state })
      },
    }
    let waiting = 0
    let settled: Promise<Outcome> | undefined
    const self: Running = {
      connector,
      silent,
      stop: reason => control.abort(reason),
      join(own) {
        settled ??= attend() // who hears that it begins may join first
        settled.catch(() => {}) // every caller may have left
        waiting++
        const left = new Promise<never>((_, reject) => {
          const leave = () => {
            reject(toKeybayError(own?.reason, connectorId))
            if (--waiting === 0) control.abort(own?.reason) // nobody is left who wants it
          }
          own?.addEventListener('abort', leave)
        })
        return Promise.race([settled, left])
      },
    }
    active.set(connectorId, self)
    arm()
    if (!silent) {
      begin({ connectorId, method, status: 'connecting' })
      if (method === 'connect') bus.emit('connection:opening', { connectorId })
    }
    return self.join(outer)
  }
  return {
    list: store.get,
    get,
    subscribe: store.subscribe,
    reset(id) {
      const running = active.get(id)
      active.delete(id) // at once, so that the next one need not wait for this one to end
      running?.stop(new KeybayError(aborted, { connectorId: id }))
      if (get(id)) store.set(without(store.get(), id))
    },
    run,
    busy: id => active.has(id),
    begin,
    stop(which, error) {
      for (const [connectorId, { connector, stop }] of active)
        if (which(connector)) stop(new KeybayError(error, { connectorId }))
    },
  }
}
