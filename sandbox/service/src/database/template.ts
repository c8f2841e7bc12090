/**
 * Creates PGlite databases without initdb, which takes seconds: the first database of this installation is stored,
 * empty, in `node_modules/.cache`, and every later one starts as its copy.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { PGlite } from '@electric-sql/pglite'

/** Named after the PGlite version, because another version may create databases differently. */
function templateFile(): string {
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite')
  const [root = ''] = entry.split(join('@electric-sql', 'pglite'))
  const { version } = JSON.parse(readFileSync(join(dirname(entry), '..', 'package.json'), 'utf8'))
  return join(root, '.cache', 'keybay-api', `pglite-${version}.tar.gz`)
}

/** A failure here only costs time: the next start creates its own database. */
async function keep(client: PGlite, file: string): Promise<void> {
  try {
    await client.exec('checkpoint')
    const dump = await client.dumpDataDir('gzip')
    mkdirSync(dirname(file), { recursive: true })
    // Renamed when complete: another process may read the file at any time, or write its own.
    const temporaryFile = `${file}.${process.pid}.${performance.now()}`
    writeFileSync(temporaryFile, Buffer.from(await dump.arrayBuffer()))
    renameSync(temporaryFile, file)
  } catch {
    // The folder is read-only or full.
  }
}

/** Returns undefined when the template is missing or damaged, and it is then replaced: the archive has a checksum. */
function read(file: string): Blob | undefined {
  if (!existsSync(file)) return undefined
  try {
    return new Blob([gunzipSync(readFileSync(file))], { type: 'application/x-tar' })
  } catch {
    return undefined
  }
}

/** Opens the database in a folder, or in memory; creates it when missing. @param file the template; for tests */
export async function openPglite(dataDir: string | undefined, file: string = templateFile()): Promise<PGlite> {
  const place = dataDir ?? 'memory://'
  if (dataDir !== undefined && existsSync(join(dataDir, 'PG_VERSION'))) return PGlite.create(place)
  const template = read(file)
  if (template) return PGlite.create({ dataDir: place, loadDataDir: template })
  const client = await PGlite.create(place)
  await keep(client, file)
  return client
}
