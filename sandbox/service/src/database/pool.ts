/**
 * Pool of connections to PostgreSQL. Nothing in it waits without a limit.
 *
 * postgres.js has a pool of its own, but a connection that closes inside a transaction can end the process there, stay
 * unusable, or run the rest of the transaction in another one (porsager/postgres issues 1208, 1189 and 1216). Here each
 * client has one connection, runs one statement or transaction at a time, and is never used again after it closed.
 */
import { drizzle } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import { traceStatement } from '../tracing/statements.js'
import { Gate } from './gate.js'
import type { PoolUse } from './options.js'

/**
 * Limits of the server for each connection, in ms. The URL can replace them: `postgres://…?statement_timeout=60000`.
 * Custody sends email inside a transaction, which may be idle for longer than a mail server may take.
 */
const SERVER_LIMITS_MS = {
  statement_timeout: 15_000,
  lock_timeout: 10_000,
  idle_in_transaction_session_timeout: 30_000,
}

const MAX_CONNECTIONS = 10
export const CONNECT_TIMEOUT_S = 5
/** Time that a statement or transaction waits for a connection, in ms. */
const POOL_TIMEOUT_MS = 5_000

/**
 * Each connection parses and plans a statement once. Drizzle prepares only what it is told to, and a service has few
 * statements, each of which it sends for every request.
 */
const PREPARED = { prepare: true }

interface Connection {
  readonly client: postgres.Sql
  isClosed: boolean
}

/** Error of a connection that closed, with a code like those of postgres.js. */
function connectionError(code: 'CONNECTION_CLOSED' | 'CONNECTION_TIMEOUT'): Error {
  return Object.assign(new Error(`The database closed or refused a connection: ${code}.`), { code })
}

class Pool {
  readonly #url: string
  readonly #gate = new Gate(MAX_CONNECTIONS, POOL_TIMEOUT_MS)
  readonly #all = new Set<Connection>()
  readonly #idle = new Set<Connection>()

  constructor(url: string) {
    this.#url = url
  }

  get use(): PoolUse {
    return this.#gate.use
  }

  /** Runs work on a connection that nothing else uses. */
  run<T>(work: (connection: Connection) => PromiseLike<T>): Promise<T> {
    return this.#gate.run(async () => {
      const [idle] = this.#idle
      if (idle) this.#idle.delete(idle)
      const connection = idle ?? (await this.#connect())
      try {
        return await work(connection)
      } finally {
        if (!connection.isClosed) this.#idle.add(connection)
      }
    })
  }

  async end(): Promise<void> {
    await Promise.all([...this.#all].map(({ client }) => client.end({ timeout: 5 })))
  }

  async #connect(): Promise<Connection> {
    const client = postgres(this.#url, {
      max: 1,
      connect_timeout: CONNECT_TIMEOUT_S,
      connection: SERVER_LIMITS_MS,
      onnotice: () => undefined,
      onclose: () => this.#drop(connection),
    })
    const connection: Connection = { client, isClosed: false }
    this.#all.add(connection)
    // Sets the parsers of this client.
    drizzle(client)
    let impatience: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      impatience = setTimeout(() => reject(connectionError('CONNECTION_TIMEOUT')), CONNECT_TIMEOUT_S * 1000)
    })
    try {
      await Promise.race([client.unsafe('select 1'), late])
    } catch (error) {
      this.#drop(connection)
      throw error
    } finally {
      clearTimeout(impatience)
    }
    return connection
  }

  #drop(connection: Connection): void {
    connection.isClosed = true
    this.#idle.delete(connection)
    if (this.#all.delete(connection)) void connection.client.end({ timeout: 0 })
  }
}

type Unsafe = postgres.Sql['unsafe']
type Execute = <T>(start: (query: ReturnType<Unsafe>) => PromiseLike<T>) => PromiseLike<T>

/** Returns a statement that runs when it is awaited or when `values` is called, like those of postgres.js. */
function createStatement(text: string, execute: Execute) {
  const run: Execute = start => traceStatement(text, () => execute(start))
  return {
    // biome-ignore lint/suspicious/noThenProperty: Drizzle awaits the statements of postgres.js
    then: (...handlers: Parameters<Promise<unknown>['then']>) => run(query => query).then(...handlers),
    values: () => run(query => query.values()),
  }
}

/** Runs a transaction, of which nothing reaches the connection once it has closed. */
function transact<T>(connection: Connection, work: (transaction: postgres.TransactionSql) => T | Promise<T>) {
  return connection.client.begin(async transaction => {
    const { unsafe } = transaction
    const guarded = Object.assign(transaction, {
      unsafe(...[text, values]: Parameters<Unsafe>) {
        if (connection.isClosed) throw connectionError('CONNECTION_CLOSED')
        return createStatement(text, start => start(unsafe(text, values, PREPARED)))
      },
    })
    try {
      return await work(guarded)
    } finally {
      // `begin` has failed already; postgres.js must not send a ROLLBACK or COMMIT.
      if (connection.isClosed) await new Promise(() => undefined)
    }
  })
}

/** Opens a pool and returns a client, for Drizzle and the services, whose statements and transactions use the pool. */
export function openPool(url: string) {
  const pool = new Pool(url)
  const client = postgres(url, { max: 1 })
  const pooled = Object.assign(client, {
    unsafe: (...[text, values]: Parameters<Unsafe>) =>
      createStatement(text, start => pool.run(connection => start(connection.client.unsafe(text, values, PREPARED)))),
    begin: (work: Parameters<postgres.Sql['begin']>[1]) => pool.run(connection => transact(connection, work)),
    end: () => pool.end(),
  })
  return { client: pooled, getPoolUse: (): PoolUse => pool.use }
}
