/** The check that every service makes before it starts: it collects all problems, and one error lists them. */
import { isLocalName } from './local.js'

/** A service does not start. The message lists every problem, each with what to do. */
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
  /** Named in the error. */
  readonly service: string
  /** Where a browser reaches the service. Default: this machine. */
  readonly publicUrl?: string | undefined
  /** `postgres://…`, which other instances may share. */
  readonly databaseUrl?: string | undefined
  /** What is wrong with the environment, as `readAll` found it. */
  readonly problems?: readonly string[] | undefined
  /** What stands in for real settings: each is a problem where the public URL is not of this machine. */
  readonly standIns?: readonly string[] | undefined
}

/** Collects the problems of one start. */
export class StartUpCheck {
  readonly service: string
  /** Whether users reach the service by a name that is not of this machine. */
  readonly isPublic: boolean
  /** Whether other instances may use the same database. */
  readonly hasSharedDatabase: boolean
  readonly #problems: Set<string>
  readonly #hasWrongSettings: boolean

  /** @throws Error when the public URL is no address */
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

  /** Returns what `read` returns, or undefined when it throws: its message is then one of the problems. */
  attempt<T>(read: () => T): T | undefined {
    try {
      return read()
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      this.add(message.replace(/^\w+ cannot start: /, ''))
      return undefined
    }
  }

  /** Adds each stand-in as a problem where users reach the service by a public name. */
  refuseStandIns(standIns: readonly string[]): void {
    if (this.isPublic) for (const standIn of standIns) this.add(standIn)
  }

  /**
   * Decides whether the service has `/admin`: on by default, and never under a public name.
   *
   * @param isOn as the operator said; undefined when nothing was said
   */
  hasAdmin(isOn: boolean | undefined, variable: string): boolean {
    if (this.isPublic && isOn)
      this.add(`${variable} is on, which would let others move the clock. Set ${variable}=off, or remove it.`)
    return !this.isPublic && (isOn ?? true)
  }

  /**
   * Ends a start whose settings are wrong before it opens a database, which might be another one than the operator meant.
   *
   * @throws StartUpError that lists all problems known so far
   */
  throwWrongSettings(): void {
    if (this.#hasWrongSettings) this.throwProblems()
  }

  /** Ends a start that cannot go on. @throws StartUpError with the problems known so far, else the error itself */
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
