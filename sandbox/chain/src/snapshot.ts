import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TransactionRecord } from './ledger.js'
import type { ChainState, SavedState, StateHeader } from './state.js'

const FORMAT = 'keybay-chain'
/** Increases with every change of the snapshot format or of the VM version. */
const VERSION = 1
const FILE = 'snapshot'
/** Number of records written together; full chunks are encoded once and cached. */
const CHUNK = 1_000
const NEWLINE = 0x0a

interface Section {
  readonly bytes: number
  readonly sha256: string
}

interface Head {
  readonly format: string
  readonly version: number
  /** Header of the state, the VM, then chunks of records. */
  readonly sections: readonly Section[]
}

interface Encoded extends Section {
  readonly data: Uint8Array
}

function encode(data: Uint8Array): Encoded {
  return { data, bytes: data.length, sha256: createHash('sha256').update(data).digest('hex') }
}

function encodeJson(value: unknown): Encoded {
  return encode(Buffer.from(JSON.stringify(value)))
}

/** Writes the chain's state into one file: one line of JSON with lengths and checksums, then the sections. */
export class SnapshotWriter {
  readonly #dir: string
  #full: Encoded[] = []
  #generation = 0
  #writing: Promise<void> = Promise.resolve()

  constructor(dir: string) {
    this.#dir = dir
  }

  /**
   * Captures the state at once and writes it. A complete file replaces the old one.
   * @throws the error of the file system; the old snapshot then remains valid
   */
  save(state: ChainState): Promise<void> {
    const sections = this.#encode(state)
    const previous = this.#writing
    const current = previous.catch(() => undefined).then(() => this.#write(sections))
    this.#writing = current
    return current
  }

  /** Encodes the chunks that have become full. Called at every slot, so that `save` does not pause for long. */
  prepare({ ledger }: ChainState): void {
    if (this.#generation !== ledger.generation) {
      this.#full = []
      this.#generation = ledger.generation
    }
    if (ledger.size < (this.#full.length + 1) * CHUNK) return
    const fresh = [...ledger.records()].slice(this.#full.length * CHUNK)
    for (let end = CHUNK; end <= fresh.length; end += CHUNK) this.#full.push(encodeJson(fresh.slice(end - CHUNK, end)))
  }

  #encode(state: ChainState): Encoded[] {
    this.prepare(state)
    const { header, vm, records } = state.save()
    const rest = [...records].slice(this.#full.length * CHUNK)
    return [encodeJson(header), encode(vm), ...this.#full, encodeJson(rest)]
  }

  async #write(sections: readonly Encoded[]): Promise<void> {
    const head: Head = {
      format: FORMAT,
      version: VERSION,
      sections: sections.map(({ bytes, sha256 }) => ({ bytes, sha256 })),
    }
    await mkdir(this.#dir, { recursive: true })
    const target = join(this.#dir, FILE)
    const temporary = `${target}.${process.pid}.tmp`
    const parts = [Buffer.from(`${JSON.stringify(head)}\n`), ...sections.map(({ data }) => data)]
    await writeFile(temporary, parts, { flush: true })
    await rename(temporary, target)
  }
}

/** Thrown when a snapshot cannot be used. */
class BadSnapshot extends Error {}

/** Loads the saved state of a folder, if any. Moves a snapshot that cannot be used aside, and never deletes it. */
export async function loadSnapshot(dir: string, warn: (message: string) => void): Promise<SavedState | undefined> {
  const path = join(dir, FILE)
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  await removeLeftovers(dir)
  if (!bytes) return undefined
  try {
    return decode(bytes)
  } catch (error) {
    await setAside(dir, error instanceof Error ? error.message : String(error), warn)
    return undefined
  }
}

/** Deletes the files of interrupted writes. */
async function removeLeftovers(dir: string): Promise<void> {
  const names = await readdir(dir).catch(() => [])
  const leftovers = names.filter(name => name.startsWith(`${FILE}.`) && name.endsWith('.tmp'))
  await Promise.all(leftovers.map(name => rm(join(dir, name), { force: true })))
}

/** Moves the snapshot of a folder aside. */
export async function setAside(dir: string, reason: string, warn: (message: string) => void): Promise<void> {
  const aside = join(dir, `${FILE}.bad-${Date.now()}`)
  await rename(join(dir, FILE), aside)
  warn(`chain: the snapshot cannot be used (${reason}); it was moved to ${aside}, and the chain starts fresh`)
}

function decode(bytes: Buffer): SavedState {
  const end = bytes.indexOf(NEWLINE)
  const head = end < 0 ? undefined : getHead(bytes.toString('utf8', 0, end))
  if (!head) throw new BadSnapshot('it has no head')
  if (head.version !== VERSION) throw new BadSnapshot(`it has version ${head.version}, this chain reads ${VERSION}`)
  let offset = end + 1
  const [header, vm, ...chunks] = head.sections.map(({ bytes: length, sha256 }, index) => {
    const data = bytes.subarray(offset, offset + length)
    offset += length
    if (data.length !== length) throw new BadSnapshot('it is truncated')
    if (encode(data).sha256 !== sha256) throw new BadSnapshot(`the checksum of section ${index} does not fit`)
    return data
  })
  if (!header || !vm) throw new BadSnapshot('sections are missing')
  const records = chunks.flatMap((chunk): TransactionRecord[] => JSON.parse(chunk.toString('utf8')))
  const saved: StateHeader = JSON.parse(header.toString('utf8'))
  return { header: saved, vm, records }
}

function getHead(line: string): Head | undefined {
  try {
    const head: Partial<Head> | null = JSON.parse(line)
    if (head?.format !== FORMAT || !Array.isArray(head.sections)) return undefined
    return { format: FORMAT, version: Number(head.version), sections: head.sections }
  } catch {
    return undefined
  }
}
