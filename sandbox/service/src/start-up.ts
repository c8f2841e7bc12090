/** Collects all problems of a service before it starts, so that one error lists them. */
import { isLocalName } from './local.js'
import type { Mode } from './mode.js'
import type { SettingProblem } from './settings.js'

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
  /** Default: production. */
  readonly mode?: Mode | undefined
  /** URL for browsers. Default: this machine. */
  readonly publicUrl?: string | undefined
  /** PostgreSQL URL, `postgres://…`, of a database that other instances may share. */
  readonly databaseUrl?: string | undefined
  /** Invalid variables. */
  readonly invalid?: readonly SettingProblem[] | undefined
  /** Variables that production lacks, or that are unsafe there. */
  readonly unsafe?: readonly SettingProblem[] | undefined
}

/** Collects the problems of one start. */
export class StartUpCheck {
  readonly service: string
  readonly isProduction: boolean
  /** False when the database may not be the one that the operator meant. */
  readonly #knowsDatabase: boolean
  /** By variable: the first problem says what to do. */
  readonly #problems = new Map<string, string>()

  /** @throws Error when the public URL is not a valid URL */
  constructor({ service, mode, publicUrl, databaseUrl, invalid = [], unsafe = [] }: StartUpOptions) {
    this.service = service
    if (publicUrl !== undefined && !URL.canParse(publicUrl))
      throw new Error(
        `${service} cannot start: its public URL is no address. Set it to one like https://${service}.example.`,
      )
    const hasPublicName = publicUrl !== undefined && !isLocalName(new URL(publicUrl).hostname)
    this.isProduction = mode !== 'sandbox'
    for (const { variable, text } of invalid) this.add(text, variable)
    // An invalid variable counts as unset, which must not be a second problem.
    const others = unsafe.filter(({ variable }) => !this.#problems.has(variable))
    for (const { variable, text } of others) this.add(text, this.#problems.has(variable) ? text : variable)
    this.#knowsDatabase = invalid.length === 0 && (databaseUrl !== undefined || unsafe.length === 0)
    if (mode === 'sandbox' && hasPublicName)
      this.add(
        `--sandbox is for this machine only, and ${new URL(publicUrl).origin} is a public name. Start without --sandbox (README, "Running it in production").`,
      )
  }

  /** @param key variable that causes the problem: only its first problem counts */
  add(problem: string, key: string = problem): void {
    if (!this.#problems.has(key)) this.#problems.set(key, problem)
  }

  /**
   * Returns the result of `read`, or undefined when it throws: its message then becomes one of the problems.
   * @param variables that `read` reads: where one of them already has a problem, the message adds nothing
   */
  attempt<T>(read: () => T, variables: readonly string[] = []): T | undefined {
    try {
      return read()
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      if (!variables.some(variable => this.#problems.has(variable)))
        this.add(message.replace(/^\w+(?: cannot start)?: /, ''), variables[0])
      return undefined
    }
  }

  /** Adds a stand-in as a problem in production. */
  refuseStandIn(standIn: string, variable?: string): void {
    if (this.isProduction) this.add(standIn, variable)
  }

  /**
   * Decides whether the service has `/admin`: on by default, and never in production.
   * @param isOn the operator's setting; undefined when not set
   */
  hasAdmin(isOn: boolean | undefined, variable: string): boolean {
    if (this.isProduction && isOn)
      this.add(`${variable} is on, which would let others move the clock. Set ${variable}=off, or remove it.`, variable)
    return !this.isProduction && (isOn ?? true)
  }

  /**
   * Fails a start before it opens a database that might not be the one that the operator meant.
   * @throws StartUpError that lists all problems known so far
   */
  throwUnlessDatabaseIsKnown(): void {
    if (!this.#knowsDatabase) this.throwProblems()
  }

  /** Fails a start that cannot continue. @throws StartUpError with the problems known so far, else the error itself */
  fail(error: unknown): never {
    if (this.#problems.size === 0) throw error
    this.add(error instanceof Error ? error.message : String(error))
    throw new StartUpError(this.service, [...this.#problems.values()])
  }

  /** @throws StartUpError when there is a problem */
  throwProblems(): void {
    if (this.#problems.size > 0) throw new StartUpError(this.service, [...this.#problems.values()])
  }

  /** Returns the value of an attempt. @throws StartUpError when there is a problem */
  require<T>(value: T | undefined): T {
    this.throwProblems()
    if (value === undefined) throw new StartUpError(this.service, [])
    return value
  }
}
