/** Recognizes errors of a database that is away: unreachable, full, shutting down, locked or too slow. */
import { DrizzleQueryError } from 'drizzle-orm/errors'

/**
 * PostgreSQL's codes for a failure that a retry may not meet again:
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const AWAY = [
  /^08/, // connection exception
  /^53/, // too many connections, disk or memory full
  /^57/, // shutdown, restart, statement time-out
  /^58/, // input or output error
  /^28/, // password or role that was changed
  /^3D000$/, // the database is missing, as during a restore
  /^25006$/, // read-only: a standby, as after a failover
  /^25P0[34]$/, // transaction time-outs
  /^40(?:001|P01)$/, // serialization failure, deadlock
  /^55P03$/, // lock time-out
]

/** Codes of postgres.js, of Node's sockets and of certificates, where PostgreSQL gave no answer. */
const NO_ANSWER = /^(?:CONNECT_TIMEOUT|CONNECTION_\w+|E[A-Z\d_]{3,}|UNABLE_TO_\w+|\w*CERT\w*)$/

/** Time after which a client may retry, in seconds. */
export const RETRY_AFTER_S = 2

/** Returns true for an error of a database that is away, which a later request may not meet. */
export function isDatabaseAway(error: unknown): boolean {
  const reason = error instanceof DrizzleQueryError ? error.cause : error
  if (!(reason instanceof Error && 'code' in reason && typeof reason.code === 'string')) return false
  const { code } = reason
  if (AWAY.some(pattern => pattern.test(code))) return true
  // Errors of postgres.js name the statement, which tells its sockets from those of other clients.
  return NO_ANSWER.test(code) && ('query' in reason || code.startsWith('CONNECTION_'))
}
