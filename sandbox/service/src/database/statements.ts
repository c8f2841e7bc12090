/**
 * Prepared statements for PGlite. Its own `query` parses, describes, binds, describes, executes and syncs in six calls into
 * the database, each time anew; here a statement is parsed once, and then runs in one call, alone or with others.
 */
import { messages, type PGlite, parse, protocol, type QueryOptions, type Results } from '@electric-sql/pglite'

const { serialize } = protocol

/** Statements of many shapes, like an insert of n rows, must not fill the memory: later ones run unprepared. */
const MOST_STATEMENTS = 256

type Messages = Awaited<ReturnType<PGlite['execProtocolStream']>>
interface Statement {
  readonly name: string
  readonly parameterTypes: readonly number[]
  readonly fields: Results['fields']
}

interface Wanted {
  readonly text: string
  readonly values: readonly unknown[]
}
interface Waiting extends Wanted {
  readonly resolve: (rows: readonly unknown[]) => void
  readonly reject: (error: unknown) => void
}

export interface PreparedClient {
  /** The client, its `query` replaced. */
  readonly client: PGlite
  /**
   * One statement, in a transaction with all that wait at the same moment: it ends when they are committed together, which
   * costs one commit. One that fails takes no other with it: then each runs alone.
   */
  query(text: string, values: readonly unknown[]): Promise<readonly unknown[]>
}

/** Prepare only when the schema stays as it is: after migrating. */
export function prepareStatements(client: PGlite): PreparedClient {
  const plainQuery = client.query.bind(client)
  const statements = new Map<string, Statement>()
  const send = (parts: readonly Uint8Array[], throwOnError = true): Promise<Messages> =>
    client.execProtocolStream(new Uint8Array(Buffer.concat([...parts, serialize.sync()])), {
      syncToFs: false,
      throwOnError,
    })
  // As PGlite's own query: never in the middle of somebody's transaction.
  const alone = <T>(work: () => Promise<T>): Promise<T> =>
    client._runExclusiveTransaction(() => client._runExclusiveQuery(work))
  const isTooMany = (text: string): boolean => !statements.has(text) && statements.size >= MOST_STATEMENTS

  const statementOf = async (text: string): Promise<Statement> => {
    const known = statements.get(text)
    if (known) return known
    const name = `s${statements.size}`
    const answer = await send([serialize.parse({ name, text }), serialize.describe({ type: 'S', name })])
    const statement = {
      name,
      parameterTypes: parse.parseDescribeStatementResults(answer),
      fields: answer.flatMap(message => (message instanceof messages.RowDescriptionMessage ? message.fields : [])),
    }
    statements.set(text, statement)
    return statement
  }
  const asked = ({ name: statement, parameterTypes }: Statement, values: readonly unknown[]): Uint8Array[] => {
    const texts = values.map((value, index) => {
      if (value === null || value === undefined) return null
      return client.serializers[parameterTypes[index] ?? 0]?.(value) ?? String(value)
    })
    return [serialize.bind({ statement, values: texts }), serialize.execute({})]
  }
  const rowsOf = <T>({ fields }: Statement, answer: Messages, options?: QueryOptions): T[] => {
    // PGlite's own reader copies the table of all parsers for every statement.
    const parsers = fields.map(({ dataTypeID }) => options?.parsers?.[dataTypeID] ?? client.parsers[dataTypeID])
    const rows = answer.flatMap(message => {
      if (!(message instanceof messages.DataRowMessage)) return []
      const values = message.fields.map((text, column) => {
        const parser = parsers[column]
        return text === null || !parser ? text : parser(text, fields[column]?.dataTypeID ?? 0)
      })
      return [
        options?.rowMode === 'array'
          ? values
          : Object.fromEntries(values.map((value, column) => [fields[column]?.name, value])),
      ]
    })
    return rows as T[] // as PGlite's own: the caller knows what it selected
  }
  const run = async <T>({ text, values }: Wanted, options?: QueryOptions): Promise<Results<T>> => {
    const statement = await statementOf(text)
    const answer = await send(asked(statement, values))
    return { rows: rowsOf<T>(statement, answer, options), fields: statement.fields }
  }

  let waiting: Waiting[] = []
  /** Undefined when one of them failed: then nothing of it happened. */
  const runTogether = async (all: readonly Wanted[]): Promise<readonly (readonly unknown[])[] | undefined> => {
    const prepared: Statement[] = []
    for (const { text } of all) prepared.push(await statementOf(text))
    const answer = await send(
      prepared.flatMap((statement, index) => asked(statement, all[index]?.values ?? [])),
      false,
    )
    if (answer.some(message => message instanceof messages.DatabaseError)) return undefined
    let from = 0
    return prepared.map(statement => {
      const end = answer.findIndex((message, index) => index >= from && message.name === 'commandComplete')
      const own = answer.slice(from, end)
      from = end + 1
      return rowsOf(statement, own)
    })
  }
  const runWaiting = async (): Promise<void> => {
    const all = waiting
    waiting = []
    const together = all.length > 1 ? await runTogether(all).catch(() => undefined) : undefined
    for (const [index, one] of all.entries()) {
      const rows = together?.[index]
      if (rows) one.resolve(rows)
      else await run(one).then(({ rows }) => one.resolve(rows), one.reject)
    }
  }
  /** The database is closed. */
  const refuseWaiting = (error: unknown): void => {
    for (const { reject } of waiting) reject(error)
    waiting = []
  }

  client.query = async <T>(text: string, values: readonly unknown[] = [], options?: QueryOptions) =>
    isTooMany(text) ? plainQuery<T>(text, [...values], options) : alone(() => run<T>({ text, values }, options))
  return {
    client,
    query: (text, values) =>
      isTooMany(text)
        ? plainQuery(text, [...values]).then(({ rows }) => rows)
        : new Promise((resolve, reject) => {
            waiting.push({ text, values, resolve, reject })
            // Whoever comes in the same turn of the event loop goes along; so does whoever comes while others have the database.
            if (waiting.length === 1) setImmediate(() => alone(runWaiting).catch(refuseWaiting))
          }),
  }
}
