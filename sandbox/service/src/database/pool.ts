/**
 * Pool of connections to PostgreSQL. Nothing in it waits without a limit.
 *
 * postgres.js has a pool of its own, but a connection that closes inside a transaction can end the process there, stay
 * unusable, or run the rest of the transaction in another one (porsager/postgres issues 1208, 1189 and 1216). Here each
 * client has one connection, runs one statement or transaction at a time, and is never used again after it was dropped.
 */
import { drizzle } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import { traceStatement } from '../tracing/statements.js'
import { type Connection, connect } from './connection.js'
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
/** Time that a statement or transaction waits for a connection, in ms. */
const POOL_TIMEOUT_MS = 5_000

/**
 * Each connection parses and plans a statement once. Drizzle prepares only what it is told to, and a service has few
 * statements, each of which it sends for every request.
 */
const PREPARED = { prepare: true }

class Pool {
  readonly #url: string
  readonly #gate = new Gate(MAX_CONNECTIONS, POOL_TIMEOUT_MS)
  readonly #all = new Set<Connection>()
  /**
   * Newest last, and taken first: under a light load a few backends then serve all statements, whose plans and catalogue
   * are still in the processor's caches.
   */
  readonly #idle: Connection[] = []

  constructor(url: string) {
    this.#url = url
  }

  get use(): PoolUse {
    return this.#gate.use
  }

  /** Runs work on a connection that nothing else uses. It fails at once when the connection is dropped. */
  run<T>(work: (connection: Connection) => PromiseLike<T>): Promise<T> {
    return this.#gate.run(async () => {
      const connection = this.#idle.pop() ?? (await this.#connect())
      try {
        return await connection.race(() => work(connection))
      } finally {
        if (!connection.isDropped) this.#idle.push(connection)
      }
    })
  }

  async end(): Promise<void> {
    await Promise.all([...this.#all].map(({ client }) => client.end({ timeout: 5 })))
  }

  async #connect(): Promise<Connection> {
    const connection = await connect(this.#url, SERVER_LIMITS_MS)
    // Sets the parsers of this client.
    drizzle(connection.client)
    this.#all.add(connection)
    connection.onDropped(({ code }) => this.#forget(connection, code))
    return connection
  }

  #forget(connection: Connection, code: string): void {
    this.#all.delete(connection)
    const at = this.#idle.indexOf(connection)
    if (at >= 0) this.#idle.splice(at, 1)
    // The server or its network is gone without a word, so the other connections would wait as long.
    if (code === 'CONNECTION_TIMEOUT') for (const idle of [...this.#idle]) idle.drop('CONNECTION_CLOSED')
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

/** Runs a transaction, of which nothing reaches the connection once it was dropped. */
async function transact<T>(connection: Connection, work: (transaction: postgres.TransactionSql) => T | Promise<T>) {
  let stop = connection.expectAnswer()
  const result = connection.client.begin(async transaction => {
    stop()
    const { unsafe } = transaction
    const guarded = Object.assign(transaction, {
      unsafe: (...[text, values]: Parameters<Unsafe>) =>
        createStatement(text, start => connection.run(() => start(unsafe(text, values, PREPARED)))),
    })
    try {
      return await work(guarded)
    } finally {
      // `begin` has failed already; postgres.js must not send a ROLLBACK or COMMIT.
      if (connection.isDropped) await new Promise(() => undefined)
      stop = connection.expectAnswer()
    }
  })
  return result.finally(() => stop())
}

/** Opens a pool and returns a client, for Drizzle and the services, whose statements and transactions use the pool. */
export function openPool(url: string) {
  const pool = new Pool(url)
  const client = postgres(url, { max: 1 })
  const pooled = Object.assign(client, {
    unsafe: (...[text, values]: Parameters<Unsafe>) =>
      createStatement(text, start =>
        pool.run(connection => connection.run(() => start(connection.client.unsafe(text, values, PREPARED)))),
      ),
    begin: (work: Parameters<postgres.Sql['begin']>[1]) => pool.run(connection => transact(connection, work)),
    end: () => pool.end(),
  })
  return { client: pooled, getPoolUse: (): PoolUse => pool.use }
}
