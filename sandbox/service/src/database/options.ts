/** Database options and methods that need none of Drizzle's types, which not every service compiles. */
export interface DatabaseOptions {
  /** PostgreSQL URL, `postgres://…`; without it PGlite is used. */
  readonly url?: string | undefined
  /** Folder of PGlite; without it the data stays in memory. */
  readonly dataDir?: string | undefined
  readonly onQuery?: ((query: string) => void) | undefined
}

export interface DatabaseService {
  /** @throws the driver's error when the database does not respond */
  ping(): Promise<void>
  close(): Promise<void>
}
