/**
 * Prepared statements for PGlite. Its own `query` parses, describes, binds, describes, executes and syncs in six calls into
 * the database, each time anew; here a statement is parsed once, and then runs in one call.
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

/** The client, its `query` replaced. Prepare only when the schema stays as it is: after migrating. */
export const prepareStatements = (client: PGlite): PGlite => {
  const plainQuery = client.query.bind(client)
  const statements = new Map<string, Statement>()
  const send = (...parts: readonly Uint8Array[]): Promise<Messages> =>
    client.execProtocolStream(new Uint8Array(Buffer.concat([...parts, serialize.sync()])), { syncToFs: false })

  const prepare = async (text: string): Promise<Statement> => {
    const name = `s${statements.size}`
    const answer = await send(serialize.parse({ name, text }), serialize.describe({ type: 'S', name }))
    const statement = {
      name,
      parameterTypes: parse.parseDescribeStatementResults(answer),
      fields: answer.flatMap(message => (message instanceof messages.RowDescriptionMessage ? message.fields : [])),
    }
    statements.set(text, statement)
    return statement
  }

  const run = async <T>(text: string, values: readonly unknown[], options?: QueryOptions): Promise<Results<T>> => {
    const { name: statement, parameterTypes, fields } = statements.get(text) ?? (await prepare(text))
    const texts = values.map((value, index) => {
      if (value === null || value === undefined) return null
      return client.serializers[parameterTypes[index] ?? 0]?.(value) ?? String(value)
    })
    const answer = await send(serialize.bind({ statement, values: texts }), serialize.execute({}))
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
    return { rows: rows as T[], fields } // as PGlite's own: the caller knows what it selected
  }

  client.query = async <T>(text: string, values: readonly unknown[] = [], options?: QueryOptions) => {
    if (!statements.has(text) && statements.size >= MOST_STATEMENTS) return plainQuery<T>(text, [...values], options)
    // As PGlite's own query: never in the middle of somebody's transaction.
    return client._runExclusiveTransaction(() => client._runExclusiveQuery(() => run<T>(text, values, options)))
  }
  return client
}
