/** Verifies audit chains: each entry's hash covers the entry before, from the archived files on to the head. */
import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type postgres from 'postgres'
import * as v from 'valibot'
import { connect } from './database/connection.js'

export interface AuditChains {
  /** Column of the table `audit` that has the chain of an entry. */
  readonly chain: string
  /** Statement that reads the `id`, `sequence` and `hash` of each chain's newest entry. */
  readonly heads: string
  readonly hash: (before: string, entry: string) => string
}

export interface ChainsOptions {
  readonly url: string | undefined
  readonly service: string
  readonly chains: AuditChains
  /** Folder of the archived files. Without it, chains begin at their last archived entry. */
  readonly folder: string | undefined
}

const KINDS = ['checkpoint', 'entry', 'head'] as const
const linkSchema = v.object({
  id: v.string(),
  sequence: v.number(),
  kind: v.picklist(KINDS),
  entry: v.nullable(v.string()),
  hash: v.string(),
})
type Link = v.InferOutput<typeof linkSchema>

/** Everything in the database that belongs to a chain, in one statement, hence from one moment. */
function getLinks({ chain, heads }: AuditChains): string {
  return `select id, sequence, kind, entry, hash from (
      select id, sequence, 'checkpoint' as kind, null as entry, hash, 0 as place from audit_checkpoints
      union all select ${chain}, sequence, 'entry', entry, hash, sequence from audit
      union all select id, sequence, 'head', null, hash, ${2 ** 31 - 1} from (${heads}) h
    ) links order by id collate "C", place`
}

async function* readDatabase(sql: Pick<postgres.Sql, 'unsafe'>, chains: AuditChains): AsyncGenerator<Link> {
  for await (const rows of sql.unsafe(getLinks(chains)).cursor(1_000)) yield* v.parse(v.array(linkSchema), [...rows])
}

const entrySchema = v.object({ sequence: v.number(), entry: v.string(), hash: v.string() })

async function* readFile(path: string, chain: string): AsyncGenerator<Link> {
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const row: unknown = JSON.parse(line)
    yield { id: String(Reflect.get(Object(row), chain)), kind: 'entry', ...v.parse(entrySchema, row) }
  }
}

const archivedSchema = v.array(v.object({ file: v.string(), sha256: v.string() }))

/** Returns the archived files of audit entries. @throws Error for a missing or changed file */
async function findFiles(sql: Pick<postgres.Sql, 'unsafe'>, folder: string): Promise<readonly string[]> {
  const rows = await sql.unsafe("select file, sha256 from archives where file like '%-audit-%' order by file")
  const paths: string[] = []
  for (const { file, sha256 } of v.parse(archivedSchema, [...rows])) {
    const path = join(folder, file)
    if (!existsSync(path)) throw new Error(`${path} is missing. Put the archived file back.`)
    const hash = createHash('sha256')
    for await (const chunk of createReadStream(path)) hash.update(chunk)
    if (hash.digest('hex') !== sha256) throw new Error(`${path} is not the file that was archived.`)
    paths.push(path)
  }
  return paths
}

/** Position within a chain: the checkpoint first, the head last. */
function place({ kind, sequence }: Link): number {
  return kind === 'entry' ? sequence : kind === 'checkpoint' ? 0 : Number.POSITIVE_INFINITY
}

function isBefore(one: Link, other: Link): boolean {
  return one.id === other.id ? place(one) < place(other) : one.id < other.id
}

/** Merges sources that each have the order of chains. */
async function* merge(sources: readonly AsyncGenerator<Link>[]): AsyncGenerator<Link> {
  const heads: { link: Link; readonly source: AsyncGenerator<Link> }[] = []
  for (const source of sources) {
    const { value, done } = await source.next()
    if (!done) heads.push({ link: value, source })
  }
  while (heads.length > 0) {
    const first = heads.reduce((least, head) => (isBefore(head.link, least.link) ? head : least))
    yield first.link
    const { value, done } = await first.source.next()
    if (done) heads.splice(heads.indexOf(first), 1)
    else first.link = value
  }
}

/** Follows the links of chains, one chain after the other. */
class ChainWalk {
  chains = 0
  entries = 0
  readonly #hash: AuditChains['hash']
  readonly #isWhole: boolean
  #id: string | undefined
  #last = { sequence: 0, hash: '' }
  #checkpoint: Link | undefined

  /** @param isWhole false for chains without their archived entries */
  constructor(hash: AuditChains['hash'], isWhole: boolean) {
    this.#hash = hash
    this.#isWhole = isWhole
  }

  /** @throws Error that names the chain and the entry that does not continue it */
  follow(link: Link): void {
    if (link.id !== this.#id) {
      this.end()
      this.#id = link.id
      this.#last = { sequence: 0, hash: '' }
      this.#checkpoint = undefined
    }
    const broken = new Error(`The audit chain of ${link.id} breaks at entry ${link.sequence}.`)
    if (link.kind === 'checkpoint') {
      this.#checkpoint = link
      if (!this.#isWhole) this.#last = link
    } else if (link.kind === 'head') {
      if (link.sequence !== this.#last.sequence || link.hash !== this.#last.hash) throw broken
      this.chains++
      this.#id = undefined
    } else {
      // Two clocks that differ may archive an entry before its predecessor.
      const archived = this.#checkpoint?.sequence ?? 0
      if (!this.#isWhole && link.sequence <= archived) return
      if (link.sequence !== this.#last.sequence + 1 || link.hash !== this.#hash(this.#last.hash, link.entry ?? ''))
        throw broken
      if (link.sequence === archived && link.hash !== this.#checkpoint?.hash) throw broken
      this.#last = link
      this.entries++
    }
  }

  /** @throws Error when a chain has no head */
  end(): void {
    if (this.#id !== undefined) throw new Error(`The audit chain of ${this.#id} has no head.`)
  }
}

/** @returns what was verified @throws Error that names the first chain or file that is not as it was */
export async function verifyChains({ url, service, chains, folder }: ChainsOptions): Promise<string> {
  if (url === undefined) throw new Error('No database is set.')
  const { client } = await connect(url, { statement_timeout: 0 })
  try {
    return await client.begin('isolation level repeatable read read only', async sql => {
      const files = folder === undefined ? [] : await findFiles(sql, folder)
      const walk = new ChainWalk(chains.hash, folder !== undefined)
      const sources = [readDatabase(sql, chains), ...files.map(file => readFile(file, chains.chain))]
      for await (const link of merge(sources)) walk.follow(link)
      walk.end()
      const from = folder === undefined ? 'since the last archived entry' : `with ${files.length} archived files`
      return `${service}: ${walk.chains} audit chains, ${walk.entries} entries ${from}, complete.`
    })
  } finally {
    await client.end({ timeout: 5 })
  }
}
