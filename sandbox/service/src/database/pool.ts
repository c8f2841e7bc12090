/** Pool of connections to PostgreSQL. Nothing in it waits without a limit. */
import postgres from 'postgres'
import { Gate } from './gate.js'

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
/** Longest pause before a connection that failed is tried again, in s: a database that is back is used at once. */
const MAX_PAUSE_S = 0.5
/** Time that a statement or transaction waits for a connection, in ms. */
const POOL_TIMEOUT_MS = 5_000

/** Opens the pool, which connects with its first statement. */
export function openPool(url: string): postgres.Sql {
  const pool = postgres(url, {
    max: MAX_CONNECTIONS,
    connect_timeout: CONNECT_TIMEOUT_S,
    backoff: retries => Math.random() * Math.min(2 ** retries / 100, MAX_PAUSE_S),
    connection: SERVER_LIMITS_MS,
    onnotice: () => undefined,
  })
  return limitWaiting(pool, new Gate(MAX_CONNECTIONS, POOL_TIMEOUT_MS))
}

/**
 * postgres.js itself queues statements without a limit, and behind slow ones of the same connection. Replaces the
 * methods that Drizzle and the services use outside of a transaction.
 */
function limitWaiting(pool: postgres.Sql, gate: Gate): postgres.Sql {
  const { unsafe, begin } = pool
  return Object.assign(pool, {
    unsafe(...call: Parameters<typeof unsafe>) {
      const [, , options = {}] = call
      // The start of a transaction, which `begin` has already let in.
      if ('onexecute' in options) return unsafe(...call)
      const run = <T>(start: (query: ReturnType<typeof unsafe>) => PromiseLike<T>) =>
        gate.run(() => start(unsafe(...call)))
      return {
        // biome-ignore lint/suspicious/noThenProperty: like postgres.js, it runs when it is awaited or when `values` is called
        then: (...handlers: Parameters<Promise<unknown>['then']>) => run(query => query).then(...handlers),
        values: () => run(query => query.values()),
      }
    },
    begin: (work: Parameters<typeof begin>[1]) => gate.run(() => begin(work)),
  })
}
