/** Reaches the PostgreSQL server of a database, for the operator's command. */
import postgres from 'postgres'
import * as v from 'valibot'
import { type Connection, connect } from './connection.js'

const rowsSchema = v.array(v.record(v.string(), v.string()))
type Rows = v.InferOutput<typeof rowsSchema>

export interface Server {
  /** Name of the database that the address names. */
  readonly name: string
  readonly user: string
  /** Variables that give PostgreSQL's own programs the same server and role. */
  readonly env: Readonly<Record<string, string>>
  /** Returns the address of another database of this server. */
  getUrl(name: string): string
  /** Runs a statement that returns text, or nothing. */
  query(statement: string, values: readonly string[]): Promise<Rows>
}

function getSslMode(ssl: unknown): string {
  if (typeof ssl === 'string') return ssl
  return ssl ? 'require' : 'prefer'
}

/** Runs work with a connection to the server of a database. @throws Error of the driver when it does not answer */
export async function useServer<T>(url: string, work: (server: Server) => Promise<T>): Promise<T> {
  const { host, port, user, pass, database, ssl } = postgres(url, { max: 1 }).options
  let connection: Promise<Connection> | undefined
  // The types of postgres.js say that there is none.
  const password: unknown = pass
  try {
    return await work({
      name: database,
      user,
      env: {
        PGHOST: host.join(','),
        PGPORT: port.join(','),
        PGUSER: user,
        PGSSLMODE: getSslMode(ssl),
        ...(typeof password === 'string' && password !== '' && { PGPASSWORD: password }),
        ...(host.length > 1 && { PGTARGETSESSIONATTRS: 'read-write' }),
      },
      getUrl: name => url.replace(/^(\w+:\/\/[^/?]*)(\/[^?]*)?/, (_, start) => `${start}/${encodeURIComponent(name)}`),
      query: async (statement, values) => {
        connection ??= connect(url, {})
        const { client } = await connection
        return v.parse(rowsSchema, [...(await client.unsafe(statement, [...values]))])
      },
    })
  } finally {
    await (await connection?.catch(() => undefined))?.client.end({ timeout: 1 })
  }
}
