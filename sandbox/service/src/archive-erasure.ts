/**
 * Applies erasures to archived files: a file that names erased owners is written again without them. The database takes
 * the hash of the new file before the file takes its place, so a run that was killed is run again.
 */
import { createReadStream, createWriteStream, existsSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream/promises'
import type postgres from 'postgres'
import * as v from 'valibot'
import { type ArchivedTable, hashFile, type Written } from './archive.js'
import { connect } from './database/connection.js'
import { flushFolder, replaceFile } from './files.js'

/** How a table's rows lose what belongs to erased owners. */
export interface RowErasure {
  /** Statement that reads the `id` of each erased owner. */
  readonly erased: string
  /** Returns the row as it stays: itself if nothing in it is erased, undefined if nothing of it stays. */
  readonly erase: (row: object, isErased: (id: unknown) => boolean) => object | undefined
}

export interface ErasureOptions {
  readonly url: string | undefined
  /** Name of the service in file names. */
  readonly service: string
  readonly tables: readonly ArchivedTable[]
  readonly folder: string
}

type Sql = Pick<postgres.Sql, 'unsafe'>

const idsSchema = v.array(v.object({ id: v.string() }))
const filesSchema = v.array(v.object({ file: v.string(), sha256: v.string() }))
type ArchivedFile = v.InferOutput<typeof filesSchema>[number]

async function* eraseLines(path: string, { erase }: RowErasure, ids: ReadonlySet<unknown>): AsyncGenerator<string> {
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const row: object = Object(JSON.parse(line))
    const left = erase(row, id => ids.has(id))
    if (left) yield `${left === row ? line : JSON.stringify(left)}\n`
  }
}

function writeHash(path: string, { file, sha256 }: ArchivedFile): void {
  const text = `${sha256}  ${file}\n`
  if (!existsSync(`${path}.sha256`) || readFileSync(`${path}.sha256`, 'utf8') !== text)
    replaceFile(`${path}.sha256`, text)
}

/** Ends a run that was killed after the database took the new hash. @throws Error for a missing or changed file */
async function settle(folder: string, archived: ArchivedFile): Promise<Written> {
  const path = join(folder, archived.file)
  if (!existsSync(path)) throw new Error(`${path} is missing. Put the archived file back.`)
  let digest = await hashFile(path)
  const draft = `${path}.draft`
  if (digest.sha256 !== archived.sha256 && existsSync(draft)) {
    const drafted = await hashFile(draft)
    if (drafted.sha256 === archived.sha256) {
      renameSync(draft, path)
      flushFolder(folder)
      digest = drafted
    }
  }
  if (digest.sha256 !== archived.sha256) throw new Error(`${path} is not the file that was archived.`)
  writeHash(path, archived)
  return digest
}

async function eraseFile(sql: postgres.Sql, folder: string, { file, sha256 }: ArchivedFile, erasure: RowErasure) {
  const before = await settle(folder, { file, sha256 })
  const ids = new Set(v.parse(idsSchema, [...(await sql.unsafe(erasure.erased))]).map(({ id }) => id))
  const path = join(folder, file)
  const draft = `${path}.draft`
  await pipeline(eraseLines(path, erasure, ids), createWriteStream(draft, { mode: 0o600, flush: true }))
  const after = await hashFile(draft)
  const isChanged = after.sha256 !== before.sha256
  if (isChanged) await sql`update archives set rows = ${after.rows}, sha256 = ${after.sha256} where file = ${file}`
  renameSync(draft, path)
  flushFolder(folder)
  writeHash(path, { file, sha256: after.sha256 })
  return isChanged
}

async function findFiles(sql: Sql, service: string, table: string): Promise<readonly ArchivedFile[]> {
  const rows = await sql.unsafe(
    `select file, sha256 from archives where file like '${service}-${table}-%' order by file`,
  )
  return v.parse(filesSchema, [...rows])
}

/**
 * Removes what belongs to erased owners from the archived files.
 * @returns a line for each file that changed
 * @throws Error that names a missing or changed file
 */
export async function eraseArchived({ url, service, tables, folder }: ErasureOptions): Promise<readonly string[]> {
  if (url === undefined) throw new Error('No database is set.')
  const { client } = await connect(url, { statement_timeout: 0 })
  try {
    await client`select pg_advisory_lock(hashtext('archive'))`
    const lines: string[] = []
    for (const { table, erasure } of tables) {
      if (!erasure) continue
      for (const archived of await findFiles(client, service, table))
        if (await eraseFile(client, folder, archived, erasure))
          lines.push(`${service}: erased users are gone from ${archived.file}.`)
    }
    return lines.length > 0 ? lines : [`${service}: no archived file names an erased user.`]
  } finally {
    await client.end({ timeout: 5 })
  }
}
