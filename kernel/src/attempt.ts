/** One attempt with one connector: callers join it, and it can be cancelled, time out, ask the user and leave the page. */
import type { ConnectContext, Connector } from './connector.js'
import type { Base } from './kernel.js'
import type { PromptQueue } from './prompt.js'
import type { Redirects } from './redirects.js'
import type { Attempt, Outcome } from './snapshots.js'
import { aborted, connectTimeout, disposed, type ErrorSpec, KeybayError, toKeybayError } from './spec/errors.js'

/** A silent reconnect waits for a wallet, not for a user. */
const SILENT_TIMEOUT_MS = 10_000

export interface AttemptServices extends Base {
  readonly prompts: PromptQueue
  readonly redirects: Redirects
}
type AttemptChange = Pick<Attempt, 'status' | 'result' | 'error'>
export interface AttemptOptions {
  readonly connector: Connector
  /** `connect`, or the wallet method that left the page. */
  readonly method: string
  /** A `reconnect` is without the user: it shows, asks and reports nothing. A `resume` is long after the click. */
  readonly event: 'connect' | 'reconnect' | 'resume'
  perform(ctx: ConnectContext): Promise<Outcome>
  /** Called when the attempt leaves the page and when it ends. */
  onChange(event: 'redirect' | 'finish' | 'fail', change: AttemptChange): void
}
export interface RunningAttempt {
  readonly silent: boolean
  abort(error: ErrorSpec): void
  /** Starts the attempt, or waits for it if it runs. It is cancelled when all callers have aborted. */
  join(signal: AbortSignal | undefined): Promise<Outcome>
}

export function createAttempt(services: AttemptServices, options: AttemptOptions): RunningAttempt {
  const { connector, method, event, onChange } = options
  const { config, logger, prompts, redirects } = services
  const connectorId = connector.id
  const silent = event === 'reconnect'
  const controller = new AbortController()
  const { signal } = controller
  const abort = (error: ErrorSpec) => controller.abort(new KeybayError(error, { connectorId }))
  /** Stops the time-out while the user decides. */
  let pause = () => {}
  const arm = () => {
    pause()
    pause = config.clock.after(silent ? SILENT_TIMEOUT_MS : config.connectTimeout, () => abort(connectTimeout))
  }
  /** The state that the response will carry, once the page is left. */
  let redirectState: string | undefined
  let callers = 0
  let settled: Promise<Outcome> | undefined

  const waitForUser = () => {
    if (silent) throw new KeybayError(aborted, { connectorId })
    signal.throwIfAborted()
    pause()
  }
  const context: Omit<ConnectContext, 'gesture'> = {
    signal,
    silent,
    log: logger,
    async prompt(input) {
      waitForUser()
      try {
        return await prompts.ask(input, { connectorId, signal })
      } finally {
        if (!signal.aborted) arm()
      }
    },
    async redirect(url, state) {
      waitForUser()
      redirectState = state
      onChange('redirect', { status: 'redirecting' })
      return redirects.leave(url, { connectorId, method, state })
    },
  }
  const fail = (error: KeybayError) => {
    // By number (S3.1): 2 and 3 are refusals, of codes such as that of a closed window too.
    const isExpected = silent || Number(error.walletCode) >> 1 === 1 || error.code === aborted.code
    logger[isExpected ? 'debug' : 'error'](`${method} ${connectorId}`, error)
    // A failed attempt expects no response any more. A disposed one may: the page may be leaving right now.
    if (!silent && error.code !== disposed.code) void redirects.take(connectorId, redirectState)
    onChange('fail', { status: 'failed', error })
  }
  const attend = async () => {
    const stopped = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
    })
    stopped.catch(() => {}) // the gesture may throw before anything waits for it
    try {
      signal.throwIfAborted() // a listener of `connection:opening` may have cancelled it
      // Still inside the click: an async function runs synchronously up to its first await.
      const gesture = event === 'connect' ? connector.gesture?.() : undefined
      const result = await Promise.race([stopped, options.perform({ ...context, gesture })])
      onChange('finish', { status: 'succeeded', result })
      return result
    } catch (thrown) {
      const error = toKeybayError(thrown, connectorId)
      fail(error)
      throw error
    } finally {
      pause()
      controller.abort() // ends whatever still listens to the signal
    }
  }
  arm()
  return {
    silent,
    abort,
    join(callerSignal) {
      settled ??= attend() // a listener of `connection:opening` may join before the caller that began it
      settled.catch(() => {}) // every caller may have left
      callers++
      const left = new Promise<never>((_, reject) => {
        callerSignal?.addEventListener('abort', () => {
          reject(toKeybayError(callerSignal.reason, connectorId))
          if (--callers === 0) controller.abort(callerSignal.reason)
        })
      })
      return Promise.race([settled, left])
    },
  }
}
