/**
 * Prepared statements for PGlite. PGlite's own `query` parses, describes, binds, describes, executes and syncs in six
 * calls into the database for each statement; here a statement is parsed once and then runs in one call, alone or with
 * others.
 */
import { messages, type PGlite, parse, protocol, type QueryOptions, type Results } from '@electric-sql/pglite'

const { serialize } = protocol

/** Limits memory use: statements of many shapes, like an insert of n rows, run unprepared beyond this number. */
const MAX_STATEMENTS = 256

type Messages = Awaited<ReturnType<PGlite['execProtocolStream']>>
interface Statement {
  readonly name: string
  readonly parameterTypes: readonly number[]
  readonly fields: Results['fields']
}

interface Request {
  readonly text: string
  readonly values: readonly unknown[]
}
interface WaitingRequest extends Request {
  readonly resolve: (rows: readonly unknown[]) => void
  readonly reject: (error: unknown) => void
}

export interface PreparedClient {
  /** The client, with its `query` replaced. */
  readonly client: PGlite
  /**
   * Runs one statement in a transaction with all others that wait at the same moment: they share one commit. If one of
   * them fails, each runs alone.
   */
  query(text: string, values: readonly unknown[]): Promise<readonly unknown[]>
}

/** Prepares statements only while the schema stays the same: call it after migrating. */
export function prepareStatements(client: PGlite): PreparedClient {
  const plainQuery = client.query.bind(client)
  const prepared = new PreparedStatements(client)
  const batch = new Batch(prepared)
  client.query = async <T>(text: string, values: readonly unknown[] = [], options?: QueryOptions) =>
    prepared.isFull(text)
      ? plainQuery<T>(text, [...values], options)
      : prepared.exclusively(() => prepared.run<T>({ text, values }, options))
  return {
    client,
    query: (text, values) =>
      prepared.isFull(text) ? plainQuery(text, [...values]).then(({ rows }) => rows) : batch.add({ text, values }),
  }
}

/** Parses each statement once, and uses PostgreSQL's protocol with the client. */
class PreparedStatements {
  readonly #client: PGlite
  readonly #statements = new Map<string, Statement>()

  constructor(client: PGlite) {
    this.#client = client
  }

  isFull(text: string): boolean {
    return !this.#statements.has(text) && this.#statements.size >= MAX_STATEMENTS
  }

  /** Runs like PGlite's own query: never inside another transaction. */
  exclusively<T>(work: () => Promise<T>): Promise<T> {
    return this.#client._runExclusiveTransaction(() => this.#client._runExclusiveQuery(work))
  }

  async run<T>({ text, values }: Request, options?: QueryOptions): Promise<Results<T>> {
    const statement = await this.#prepare(text)
    const answer = await this.#send(this.#bind(statement, values))
    return { rows: this.#readRows<T>(statement, answer, options), fields: statement.fields }
  }

  /** Returns the rows of each request; undefined when one failed, and then none took effect. */
  async runTogether(requests: readonly Request[]): Promise<readonly (readonly unknown[])[] | undefined> {
    const statements: Statement[] = []
    for (const { text } of requests) statements.push(await this.#prepare(text))
    const parts = statements.flatMap((statement, index) => this.#bind(statement, requests[index]?.values ?? []))
    const answer = await this.#send(parts, false)
    if (answer.some(message => message instanceof messages.DatabaseError)) return undefined
    let from = 0
    return statements.map(statement => {
      const end = answer.findIndex((message, index) => index >= from && message.name === 'commandComplete')
      const part = answer.slice(from, end)
      from = end + 1
      return this.#readRows(statement, part)
    })
  }

  async #prepare(text: string): Promise<Statement> {
    const known = this.#statements.get(text)
    if (known) return known
    const name = `s${this.#statements.size}`
    const answer = await this.#send([serialize.parse({ name, text }), serialize.describe({ type: 'S', name })])
    const statement = {
      name,
      parameterTypes: parse.parseDescribeStatementResults(answer),
      fields: answer.flatMap(message => (message instanceof messages.RowDescriptionMessage ? message.fields : [])),
    }
    this.#statements.set(text, statement)
    return statement
  }

  #send(parts: readonly Uint8Array[], throwOnError = true): Promise<Messages> {
    const bytes = new Uint8Array(Buffer.concat([...parts, serialize.sync()]))
    return this.#client.execProtocolStream(bytes, { syncToFs: false, throwOnError })
  }

  #bind({ name: statement, parameterTypes }: Statement, values: readonly unknown[]): Uint8Array[] {
    const texts = values.map((value, index) => {
      if (value === null || value === undefined) return null
      return this.#client.serializers[parameterTypes[index] ?? 0]?.(value) ?? String(value)
    })
    return [serialize.bind({ statement, values: texts }), serialize.execute({})]
  }

  #readRows<T>({ fields }: Statement, answer: Messages, options?: QueryOptions): T[] {
    // PGlite's own reader copies the table of all parsers for every statement.
    const parsers = fields.map(({ dataTypeID }) => options?.parsers?.[dataTypeID] ?? this.#client.parsers[dataTypeID])
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
    return rows as T[] // as in PGlite: the caller knows the columns that it selected
  }
}

/** Collects the requests of one turn of the event loop, and those that arrive while the database is busy. */
class Batch {
  readonly #prepared: PreparedStatements
  #waiting: WaitingRequest[] = []

  constructor(prepared: PreparedStatements) {
    this.#prepared = prepared
  }

  add(request: Request): Promise<readonly unknown[]> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...request, resolve, reject })
      if (this.#waiting.length > 1) return
      setImmediate(() => this.#prepared.exclusively(() => this.#run()).catch((error: unknown) => this.#refuse(error)))
    })
  }

  async #run(): Promise<void> {
    const requests = this.#waiting
    this.#waiting = []
    const together = requests.length > 1 ? await this.#prepared.runTogether(requests).catch(() => undefined) : undefined
    for (const [index, request] of requests.entries()) {
      const rows = together?.[index]
      if (rows) request.resolve(rows)
      else await this.#prepared.run(request).then(({ rows }) => request.resolve(rows), request.reject)
    }
  }

  /** Rejects all waiting requests, because the database is closed. */
  #refuse(error: unknown): void {
    for (const { reject } of this.#waiting) reject(error)
    this.#waiting = []
  }
}
