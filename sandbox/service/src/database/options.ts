/** Database options and methods that need none of Drizzle's types, which not every service compiles. */
export interface DatabaseOptions {
  /** PostgreSQL URL, `postgres://…`; without it PGlite is used. */
  readonly url?: string | undefined
  /** Folder of PGlite; without it the data stays in memory. */
  readonly dataDir?: string | undefined
  readonly onQuery?: ((query: string) => void) | undefined
}

/** Use of a pool of connections. */
export interface PoolUse {
  readonly most: number
  readonly busy: number
  /** Statements and transactions that wait for a connection. */
  readonly waiting: number
  /** Number of those that gave up waiting since the start. */
  readonly timedOut: number
}

export interface DatabaseService {
  /** @throws the driver's error when the database does not respond */
  ping(): Promise<void>
  close(): Promise<void>
  /** Returns the use of the pool; a database in this process has none. */
  getPoolUse?(): PoolUse
}
