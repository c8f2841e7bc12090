/** One connection to PostgreSQL, at the host that accepts writes. Nothing that runs on it waits without a limit. */
import postgres from 'postgres'

const CONNECT_TIMEOUT_S = 5
/** How much longer than the server's `statement_timeout` an answer may take, in ms: the network may be cut. */
const LATENESS_MS = 5_000

/** PostgreSQL's settings of a connection. A URL can replace them. */
export type Settings = NonNullable<postgres.Options<Record<string, never>>['connection']>

/** Reads the limit that the server sets for statements. */
const SELECT_LIMIT = "select setting::int from pg_settings where name = 'statement_timeout'"

interface DropError extends Error {
  /** Like those of postgres.js. */
  readonly code: 'CONNECTION_CLOSED' | 'CONNECTION_TIMEOUT'
}
type DropListener = (error: DropError) => void

interface Host {
  readonly host: string
  readonly port: number | undefined
}

/** Returns the hosts that a URL names. */
function listHosts(url: string): readonly Host[] {
  const { host, port } = postgres(url, { max: 1 }).options
  return host.map((name, index) => ({ host: name, port: port[index] }))
}

/** Returns the hosts of a URL without its password, for messages. */
export function describeHosts(url: string): string {
  return listHosts(url)
    .map(({ host, port }) => `${host}:${port}`)
    .join(', ')
}

export class Connection {
  readonly client: postgres.Sql
  readonly #listeners = new Set<DropListener>()
  #error: DropError | undefined
  /** Longest time that an answer may take, in ms; 0 when the server has no limit. */
  #limitMs = 0

  /** @param host the one to use of a URL with several */
  constructor(url: string, settings: Settings, host?: Host) {
    this.client = postgres(url, {
      max: 1,
      connect_timeout: CONNECT_TIMEOUT_S,
      connection: settings,
      onnotice: () => undefined,
      // Its question about array types, which no service uses, rejects unhandled when the connection ends at once.
      fetch_types: false,
      onclose: () => this.drop('CONNECTION_CLOSED'),
      // postgres.js then ends a connection that is not to the primary.
      ...(host && { ...host, target_session_attrs: 'primary' }),
    })
  }

  /** @throws Error of the driver; Error with the code `CONNECTION_TIMEOUT` */
  async open(): Promise<this> {
    const timer = setTimeout(() => this.drop('CONNECTION_TIMEOUT'), CONNECT_TIMEOUT_S * 1000)
    try {
      const [{ setting } = { setting: 0 }] = await this.race(() => this.client.unsafe(SELECT_LIMIT))
      this.#limitMs = setting > 0 ? setting + LATENESS_MS : 0
      return this
    } catch (error) {
      this.drop('CONNECTION_CLOSED')
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  /** Drops the connection unless the server answers in time. @returns a function to call when it has */
  expectAnswer(): () => void {
    if (this.#limitMs === 0) return () => undefined
    const timer = setTimeout(() => this.drop('CONNECTION_TIMEOUT'), this.#limitMs)
    return () => clearTimeout(timer)
  }

  /** Runs a statement, unless the connection was dropped. Drops it if its server accepts no writes any more. */
  async run<T>(start: () => PromiseLike<T>): Promise<T> {
    if (this.#error) throw this.#error
    const stop = this.expectAnswer()
    try {
      return await start()
    } catch (error) {
      if (error instanceof postgres.PostgresError && error.code === '25006') this.drop('CONNECTION_CLOSED')
      throw error
    } finally {
      stop()
    }
  }

  /** Runs work that fails at once when the connection is dropped. */
  race<T>(work: () => PromiseLike<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#listeners.add(reject)
      work()
        .then(resolve, reject)
        .then(() => this.#listeners.delete(reject))
    })
  }

  onDropped(listener: DropListener): void {
    this.#listeners.add(listener)
  }

  /** Ends the connection now. */
  drop(code: DropError['code']): void {
    if (this.#error) return
    const error = Object.assign(new Error(`The database closed or refused a connection: ${code}.`), { code })
    this.#error = error
    for (const listener of this.#listeners) listener(error)
    void this.client.end({ timeout: 0 })
  }

  get isDropped(): boolean {
    return this.#error !== undefined
  }
}

/** Says why a host was not used. */
function explain(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
  return code === 'CONNECTION_DESTROYED' ? 'a standby' : code
}

/**
 * Connects to a database. Of several hosts it uses the primary, as libpq does with `target_session_attrs=read-write`
 * (https://www.postgresql.org/docs/current/libpq-connect.html). It asks all hosts at the same time, because a host that
 * does not answer must not delay the others. The driver's own list of hosts stays at such a host (porsager/postgres
 * issue 815).
 * @throws Error of the driver; with several hosts, Error with the code `CONNECTION_REFUSED` that says why for each
 * @example const { client } = await connect('postgres://api:secret@one:5432,two:5432/api', {})
 */
export async function connect(url: string, settings: Settings): Promise<Connection> {
  const hosts = listHosts(url)
  if (hosts.length === 1) return new Connection(url, settings).open()
  const attempts = hosts.map(host => new Connection(url, settings, host))
  const opened = attempts.map(attempt => attempt.open())
  const connection = await Promise.any(opened).catch((cause: AggregateError) => {
    const reasons = cause.errors.map(
      (error, index) => `${hosts[index]?.host}:${hosts[index]?.port} (${explain(error)})`,
    )
    const message = `No host of the database accepts writes: ${reasons.join(', ')}.`
    throw Object.assign(new Error(message, { cause }), { code: 'CONNECTION_REFUSED' })
  })
  // The others end by themselves, because PostgreSQL logs a connection that ends during its authentication.
  for (const attempt of opened) attempt.then(other => other !== connection && other.drop('CONNECTION_CLOSED'), Boolean)
  return connection
}
