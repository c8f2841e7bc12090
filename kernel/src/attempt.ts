/** One attempt with one connector: callers join it, and it can be cancelled, time out, ask the user and leave the page. */
import type { ResolvedConfig } from './config.js'
import type { ConnectContext, Connector } from './connector.js'
import type { Logger } from './logger.js'
import type { PromptQueue } from './prompt.js'
import type { Redirects } from './redirects.js'
import type { Outcome } from './snapshots.js'
import { aborted, connectTimeout, disposed, type ErrorSpec, KeybayError, toKeybayError } from './spec/errors.js'

/** A silent reconnect waits for a wallet, not for a user. */
const SILENT_TIMEOUT_MS = 10_000

export interface AttemptServices {
  readonly config: ResolvedConfig
  readonly logger: Logger
  readonly prompts: PromptQueue
  readonly redirects: Redirects
}
/** What an attempt does, and who it reports to. */
export interface AttemptOptions {
  readonly connector: Connector
  /** A reconnect without the user: shows, asks and reports nothing. */
  readonly silent: boolean
  /** Back from a redirect: the click is long over, so there is no gesture. */
  readonly resumed: boolean
  /** `connect`, or the wallet method that left the page. */
  readonly method: string
  perform(ctx: ConnectContext): Promise<Outcome>
  onRedirect(attempt: RunningAttempt): void
  onSuccess(attempt: RunningAttempt, result: Outcome): void
  onFailure(attempt: RunningAttempt, error: KeybayError): void
}

export class RunningAttempt {
  readonly options: AttemptOptions
  readonly #services: AttemptServices
  readonly #controller = new AbortController()
  #disarm = () => {}
  /** The state that the response will carry, once the page is left. */
  #redirectState: string | undefined
  #callers = 0
  #settled: Promise<Outcome> | undefined

  constructor(services: AttemptServices, options: AttemptOptions) {
    this.#services = services
    this.options = options
    this.#arm()
  }
  get #id() {
    return this.options.connector.id
  }
  abort(error: ErrorSpec): void {
    this.#controller.abort(new KeybayError(error, { connectorId: this.#id }))
  }
  /** Starts the attempt, or waits for it if it runs. It is cancelled when all callers have aborted. */
  join(signal: AbortSignal | undefined): Promise<Outcome> {
    this.#settled ??= this.#attend() // a listener of `connection:opening` may join before the caller that began it
    this.#settled.catch(() => {}) // every caller may have left
    this.#callers++
    const left = new Promise<never>((_, reject) => {
      signal?.addEventListener('abort', () => {
        reject(toKeybayError(signal.reason, this.#id))
        if (--this.#callers === 0) this.#controller.abort(signal.reason)
      })
    })
    return Promise.race([this.#settled, left])
  }
  async #attend() {
    const { connector, silent, resumed } = this.options
    const { signal } = this.#controller
    const stopped = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
    })
    stopped.catch(() => {}) // the gesture may throw before anything waits for it
    try {
      signal.throwIfAborted() // a listener of `connection:opening` may have cancelled it
      // Still inside the click: an async function runs synchronously up to its first await.
      const gesture = silent || resumed ? undefined : connector.gesture?.()
      const result = await Promise.race([stopped, this.options.perform(this.#createContext(gesture))])
      this.options.onSuccess(this, result)
      return result
    } catch (thrown) {
      const error = toKeybayError(thrown, this.#id)
      this.#fail(error)
      throw error
    } finally {
      this.#disarm()
      this.#controller.abort() // ends whatever still listens to the signal
    }
  }
  #fail(error: KeybayError) {
    const { silent, method } = this.options
    const { logger, redirects } = this.#services
    // By number: codes other than `user_rejected`, such as that of a closed window, are refusals too (S3.1).
    const isExpected = silent || error.walletCode === 2 || error.code === aborted.code
    logger[isExpected ? 'debug' : 'error'](`${method} ${this.#id}`, error)
    // A failed attempt expects no response any more. A disposed one may: the page may be leaving right now.
    if (!silent && error.code !== disposed.code) void redirects.take(this.#id, this.#redirectState)
    this.options.onFailure(this, error)
  }
  #arm() {
    const { clock, connectTimeout: timeout } = this.#services.config
    this.#disarm()
    this.#disarm = clock.after(this.options.silent ? SILENT_TIMEOUT_MS : timeout, () => this.abort(connectTimeout))
  }
  /** Pauses the time-out while the user decides. */
  #waitForUser() {
    if (this.options.silent) throw new KeybayError(aborted, { connectorId: this.#id })
    this.#controller.signal.throwIfAborted()
    this.#disarm()
  }
  #createContext(gesture: unknown): ConnectContext {
    const { signal } = this.#controller
    const { logger, prompts, redirects } = this.#services
    const { silent, method } = this.options
    return {
      signal,
      silent,
      gesture,
      log: logger,
      prompt: async input => {
        this.#waitForUser()
        try {
          return await prompts.ask(input, { connectorId: this.#id, signal })
        } finally {
          if (!signal.aborted) this.#arm()
        }
      },
      redirect: async (url, state) => {
        this.#waitForUser()
        this.#redirectState = state
        this.options.onRedirect(this)
        return redirects.leave(url, { connectorId: this.#id, method, state })
      },
    }
  }
}
