/** The part of a database that needs none of Drizzle's types, which not every service compiles. */
export interface DatabaseOptions {
  /** `postgres://…`; without it PGlite. */
  readonly url?: string | undefined
  /** PGlite's folder; without it in memory. */
  readonly dataDir?: string | undefined
  readonly onQuery?: ((query: string) => void) | undefined
}

export interface DatabaseService {
  /** @throws the driver's error when the database does not answer */
  ping(): Promise<void>
  close(): Promise<void>
}
