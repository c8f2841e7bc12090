/**
 * Creates PGlite databases without initdb, which takes seconds: the first database of this installation is stored,
 * empty, in `node_modules/.cache`, and every later one starts as its copy.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { gunzipSync } from 'node:zlib'
import { MemoryFS, PGlite } from '@electric-sql/pglite'
import { parseTar } from 'nanotar'

/** PostgreSQL's default of 128 MB is cleared at each start, which takes longer than the rest of the start. */
const startParams = [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB']

/** Folder of PGlite's memory that has the data. */
const MEMORY_FOLDER = '/pglite/data'

/** A folder with this file counts as complete, so it is written last. */
const VERSION_FILE = 'PG_VERSION'

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

/** Databases that only `create database` copies, which PGlite does not have: two thirds of all files. */
const COPIED_DATABASES = /^\/?base\/[14]\/./

/** File or folder of a template; a folder has no data. */
interface Entry {
  /** Path in the database's folder, e.g. `base/5/1255`. */
  readonly path: string
  readonly data: Uint8Array | undefined
}

/** Returns undefined when the template is missing or damaged, and it is then replaced: the archive has a checksum. */
function read(file: string): readonly Entry[] | undefined {
  if (!existsSync(file)) return undefined
  try {
    const entries = parseTar(gunzipSync(readFileSync(file))).filter(({ name }) => !COPIED_DATABASES.test(name))
    return entries.map(({ name, type, data = new Uint8Array() }) => ({
      path: name,
      data: type === 'file' ? data : undefined,
    }))
  } catch {
    return undefined
  }
}

let remembered: { readonly key: string; readonly entries: readonly Entry[] } | undefined

/** As `read`, but remembers the last template: a test run opens many databases in memory. */
function readOften(file: string): readonly Entry[] | undefined {
  const key = existsSync(file) ? `${file} ${statSync(file).mtimeMs}` : undefined
  if (key !== undefined && remembered?.key === key) return remembered.entries
  const entries = read(file)
  remembered = entries && key !== undefined ? { key, entries } : undefined
  return entries
}

interface Files {
  readonly mkdir: (path: string) => void
  readonly write: (path: string, data: Uint8Array) => void
}

function unpack(entries: readonly Entry[], folder: string, { mkdir, write }: Files): void {
  mkdir(folder)
  const last = (path: string) => Number(path === VERSION_FILE)
  for (const { path, data } of [...entries].sort((a, b) => last(a.path) - last(b.path)))
    if (data) write(`${folder}/${path}`, data)
    else mkdir(`${folder}/${path}`)
}

/** Memory that starts as a copy of the template, in a third of the time of PGlite's own `loadDataDir`. */
class FilledMemory extends MemoryFS {
  private readonly entries: readonly Entry[]
  constructor(entries: readonly Entry[]) {
    super()
    this.entries = entries
  }

  override async initialSyncFs() {
    const fs = this.pg?.Module.FS
    if (fs)
      unpack(this.entries, MEMORY_FOLDER, {
        mkdir: path => fs.mkdirTree(path),
        write: (path, data) => fs.writeFile(path, data),
      })
  }
}

/** Bytes that a function of WebAssembly runs until V8 optimizes it: V8's own default, and PGlite's. */
const TIERING_BUDGET = 1_800_000
const PGLITE_TIERING_BUDGET = 100_000_000

/**
 * Opens the database in a folder, or in memory; creates it when missing. Only its busiest code is optimized,
 * because V8 would spend as much processor time on the rest as the whole start takes.
 * @param file the template; for tests
 */
export async function openPglite(dataDir: string | undefined, file: string = templateFile()): Promise<PGlite> {
  setFlagsFromString(`--wasm-tiering-budget=${PGLITE_TIERING_BUDGET}`)
  try {
    return await openOrCreate(dataDir, file)
  } finally {
    setFlagsFromString(`--wasm-tiering-budget=${TIERING_BUDGET}`)
  }
}

async function openOrCreate(dataDir: string | undefined, file: string): Promise<PGlite> {
  if (dataDir !== undefined && existsSync(join(dataDir, VERSION_FILE))) return PGlite.create({ dataDir, startParams })
  const entries = dataDir === undefined ? readOften(file) : read(file)
  if (!entries) {
    const client = await PGlite.create({ dataDir: dataDir ?? 'memory://', startParams })
    await keep(client, file)
    return client
  }
  if (dataDir === undefined) return PGlite.create({ fs: new FilledMemory(entries), startParams })
  unpack(entries, dataDir, { mkdir: path => mkdirSync(path, { recursive: true, mode: 0o700 }), write: writeFileSync })
  return PGlite.create({ dataDir, startParams })
}
