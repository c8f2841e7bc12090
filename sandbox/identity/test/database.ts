import { createDatabases } from '@keybay/sandbox-service/testing/databases'
import { openDatabase } from '../src/db/open.js'

/** Creates a database for the providers and returns its address; undefined where services use PGlite. */
export const newDatabase: () => Promise<string | undefined> = createDatabases(openDatabase)
