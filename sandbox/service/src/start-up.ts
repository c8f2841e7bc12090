/** Collects all problems of a service before it starts, so that one error lists them. */
import { isLocalName } from './local.js'

/** Thrown when a service cannot start. The message lists every problem with what to do. */
export class StartUpError extends Error {
  readonly problems: readonly string[]

  constructor(service: string, problems: readonly string[]) {
    const [only = 'no reason was given'] = problems
    const list = problems.length > 1 ? `:\n${problems.map(problem => `- ${problem}`).join('\n')}` : `: ${only}`
    super(`${service} cannot start${list}`)
    this.name = 'StartUpError'
    this.problems = problems
  }
}

export interface StartUpOptions {
  /** Service name for the error. */
  readonly service: string
  /** URL for browsers. Default: this machine. */
  readonly publicUrl?: string | undefined
  /** PostgreSQL URL, `postgres://…`, of a database that other instances may share. */
  readonly databaseUrl?: string | undefined
  /** Problems in the environment, as found by `readAll`. */
  readonly problems?: readonly string[] | undefined
  /** Stand-ins for real settings: each is a problem when the public URL is not of this machine. */
  readonly standIns?: readonly string[] | undefined
}

/** Collects the problems of one start. */
export class StartUpCheck {
  readonly service: string
  /** True when the public URL is not of this machine. */
  readonly isPublic: boolean
  /** True when other instances may use the same database. */
  readonly hasSharedDatabase: boolean
  readonly #problems: Set<string>
  readonly #hasWrongSettings: boolean

  /** @throws Error when the public URL is not a valid URL */
  constructor({ service, publicUrl, databaseUrl, problems = [], standIns = [] }: StartUpOptions) {
    this.service = service
    this.hasSharedDatabase = databaseUrl !== undefined
    if (publicUrl !== undefined && !URL.canParse(publicUrl))
      throw new Error(
        `${service} cannot start: its public URL is no address. Set it to one like https://${service}.example.`,
      )
    this.isPublic = publicUrl !== undefined && !isLocalName(new URL(publicUrl).hostname)
    this.#problems = new Set(problems)
    this.#hasWrongSettings = problems.length > 0
    this.refuseStandIns(standIns)
  }

  add(problem: string): void {
    this.#problems.add(problem)
  }

  /** Returns the result of `read`, or undefined when it throws: its message then becomes one of the problems. */
  attempt<T>(read: () => T): T | undefined {
    try {
      return read()
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      this.add(message.replace(/^\w+ cannot start: /, ''))
      return undefined
    }
  }

  /** Adds each stand-in as a problem if the service has a public name. */
  refuseStandIns(standIns: readonly string[]): void {
    if (this.isPublic) for (const standIn of standIns) this.add(standIn)
  }

  /**
   * Decides whether the service has `/admin`: on by default, and never under a public name.
   * @param isOn the operator's setting; undefined when not set
   */
  hasAdmin(isOn: boolean | undefined, variable: string): boolean {
    if (this.isPublic && isOn)
      this.add(`${variable} is on, which would let others move the clock. Set ${variable}=off, or remove it.`)
    return !this.isPublic && (isOn ?? true)
  }

  /**
   * Fails a start with invalid settings before it opens a database, which might not be the one that the operator meant.
   * @throws StartUpError that lists all problems known so far
   */
  throwWrongSettings(): void {
    if (this.#hasWrongSettings) this.throwProblems()
  }

  /** Fails a start that cannot continue. @throws StartUpError with the problems known so far, else the error itself */
  fail(error: unknown): never {
    if (this.#problems.size === 0) throw error
    this.add(error instanceof Error ? error.message : String(error))
    throw new StartUpError(this.service, [...this.#problems])
  }

  /** @throws StartUpError when there is a problem */
  throwProblems(): void {
    if (this.#problems.size > 0) throw new StartUpError(this.service, [...this.#problems])
  }

  /** Returns the value of an attempt. @throws StartUpError when there is a problem */
  require<T>(value: T | undefined): T {
    this.throwProblems()
    if (value === undefined) throw new StartUpError(this.service, [])
    return value
  }
}
