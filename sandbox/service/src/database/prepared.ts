/**
 * Returns a function that builds a statement at its first use with a database, so that requests do not build its text
 * each time. In a transaction the statement is built for that transaction.
 * @example
 * const getStatement = buildOnce((db: Database) =>
 *   db.select().from(users).where(eq(users.id, sql.placeholder('id'))).prepare('user'))
 * await getStatement(db).execute({ id })
 */
export function buildOnce<Db extends WeakKey, Statement>(build: (db: Db) => Statement): (db: Db) => Statement {
  const statements = new WeakMap<Db, Statement>()
  return db => {
    const statement = statements.get(db) ?? build(db)
    statements.set(db, statement)
    return statement
  }
}
