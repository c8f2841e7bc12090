/** Statements that are built once for each database. */
import type { Database } from './open.js'

/**
 * Returns a function that builds a statement at its first use with a database.
 * @example
 * const getStatement = buildOnce(db => db.select().from(users).where(eq(users.id, sql.placeholder('id'))).prepare('user'))
 * await getStatement(db).execute({ id })
 */
export function buildOnce<Statement>(build: (db: Database) => Statement): (db: Database) => Statement {
  const statements = new WeakMap<Database, Statement>()
  return db => {
    const statement = statements.get(db) ?? build(db)
    statements.set(db, statement)
    return statement
  }
}
