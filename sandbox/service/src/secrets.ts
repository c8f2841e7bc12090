/** Secrets that a service makes at its first start and keeps in a file; key-encryption keys, and their rotation. */
import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { type FoundKey, findKeyText, fingerprintOf, type KeySource } from './key-source.js'

export { readOrWrite } from './write-once.js'

/** In the registry. */
export const KEK_NAME = 'kek'

function makeKek(): string {
  return randomBytes(32).toString('base64url')
}

function parseKeks({ service }: KeySource, text: string, from: string): readonly Uint8Array[] {
  const keys = text.split(',').map(one => one.trim())
  if (keys.some(one => !/^[\w-]{43}$/.test(one)))
    throw new Error(`${service} cannot start: ${from} must be 32 bytes in base64url, or several, separated by commas`)
  return keys.map(one => new Uint8Array(Buffer.from(one, 'base64url')))
}

export function kekFingerprints(service: string, keks: readonly Uint8Array[]): readonly string[] {
  return keks.map(kek => fingerprintOf(`${service}/${KEK_NAME}`, kek))
}

/**
 * Finds key-encryption keys: the first seals, all open. Without a text they are in the file, without a file in memory.
 *
 * @throws Error that does not quote them
 */
export function findKeks(source: KeySource): FoundKey<readonly Uint8Array[]> {
  const { text, from, isNew, save } = findKeyText(source, makeKek)
  const value = parseKeks(source, text, from)
  const fingerprints = kekFingerprints(source.service, value)
  return {
    value,
    source: { variable: source.variable, from, isNew, save },
    identities: [{ name: KEK_NAME, what: 'key-encryption key', fingerprints, opensSecrets: true }],
  }
}

/**
 * Loads key-encryption keys of a program without a database; new ones are written to the file.
 *
 * @throws Error that does not quote them
 * @example createEnvelope(loadKeks({ service: 'app', variable: 'its key', file }))
 */
export function loadKeks(source: KeySource): readonly Uint8Array[] {
  const { value, source: found } = findKeks(source)
  found.save()
  return value
}

/** Writes the file whole beside its place, then moves it: half a file would lose every secret. */
export function replaceFile(file: string, text: string): void {
  const draft = `${file}.new`
  const handle = openSync(draft, 'w', 0o600)
  try {
    writeFileSync(handle, text)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  renameSync(draft, file)
}

/** What a rotation does besides wrapping. `rotationSteps` makes those of a service's database. */
export interface RotationSteps {
  /** Registers the next key, before any instance or file has it. */
  register(next: Uint8Array): Promise<void>
  /** From now on only the first key seals. @throws Error when a key is missing that secrets are under */
  begin(keks: readonly Uint8Array[]): Promise<void>
  /** Everything is under the first key: the database forgets the others. */
  end(keks: readonly Uint8Array[]): Promise<void>
}

const NO_STEPS: RotationSteps = { register: async () => {}, begin: async () => {}, end: async () => {} }

/** The keys of a rotation whose file is `file`. A rotation that was broken off left its new key there, or beside it. */
async function nextKeks(source: KeySource, file: string, steps: RotationSteps): Promise<readonly Uint8Array[]> {
  const before = loadKeks(source)
  if (before.length > 1) return before
  const draft = `${file}.next`
  if (!existsSync(draft)) replaceFile(draft, makeKek())
  const [next = new Uint8Array()] = parseKeks(source, readFileSync(draft, 'utf8'), draft)
  await steps.register(next)
  return [next, ...before]
}

/**
 * Wraps every secret under a new key. With a text its first key is the new one, and the database forgets the old one in the
 * first run that finds nothing under it; else the file gets a new key in front of the old one, which goes when all is done.
 * A rotation that was broken off is run again and goes on where it stopped.
 *
 * @param rewrapAll wraps under the first of the keys, and returns how many secrets it did
 * @param steps registers the new key before it is used, and retires the old one
 * @returns what to tell the operator
 * @example await rotateKeks({ service: 'custody', variable: 'CUSTODY_KEK', file }, keks => rewrap(db, createEnvelope(keks)), steps)
 */
export async function rotateKeks(
  source: KeySource,
  rewrapAll: (keks: readonly Uint8Array[]) => Promise<number>,
  steps: RotationSteps = NO_STEPS,
): Promise<string> {
  const { text, file, variable } = source
  if (text || !file) {
    const keks = loadKeks(source)
    await steps.begin(keks)
    const count = await rewrapAll(keks)
    // An instance that still runs with the old key in front may have sealed something since: the next run looks again.
    if (count > 0)
      return `${count} secrets are under the new key. Restart every instance with the new key in front of ${variable}, then run this again. Keep the old key until it finds none.`
    await steps.end(keks)
    return `0 secrets are under an old key. Take the old keys out of ${variable}.`
  }
  const keks = await nextKeks(source, file, steps)
  const words = keks.map(kek => Buffer.from(kek).toString('base64url'))
  replaceFile(file, words.join(','))
  rmSync(`${file}.next`, { force: true })
  await steps.begin(keks)
  const count = await rewrapAll(keks)
  await steps.end(keks)
  replaceFile(file, words.slice(0, 1).join())
  return `${count} secrets are under the new key.`
}
