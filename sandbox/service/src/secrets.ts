/** Secrets that a service generates at its first start and stores in a file; key-encryption keys and their rotation. */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { replaceFile } from './files.js'
import { type FoundKey, findKeyText, getFingerprint, type KeySource } from './key-source.js'

export { flushFolder, readOrWrite, replaceFile } from './files.js'

/** Name in the registry. */
export const KEK_NAME = 'kek'

export function makeKek(): string {
  return randomBytes(32).toString('base64url')
}

function parseKeks({ service }: KeySource, text: string, from: string): readonly Uint8Array[] {
  const keys = text.split(',').map(part => part.trim())
  if (keys.some(key => !/^[\w-]{43}$/.test(key)))
    throw new Error(`${service} cannot start: ${from} must be 32 bytes in base64url, or several, separated by commas`)
  return keys.map(key => new Uint8Array(Buffer.from(key, 'base64url')))
}

export function kekFingerprints(service: string, keks: readonly Uint8Array[]): readonly string[] {
  return keks.map(kek => getFingerprint(`${service}/${KEK_NAME}`, kek))
}

/**
 * Finds key-encryption keys: the first seals, all open. Without a text they are in the file, without a file in memory.
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
 * @throws Error that does not quote them
 * @example createEnvelope(loadKeks({ service: 'app', variable: 'its key', file }))
 */
export function loadKeks(source: KeySource): readonly Uint8Array[] {
  const { value, source: foundSource } = findKeks(source)
  foundSource.save()
  return value
}

/** Steps of a rotation around the wrapping. `rotationSteps` creates those of a service's database. */
export interface RotationSteps {
  /** Registers the next key, before any instance or file has it. */
  register(next: Uint8Array): Promise<void>
  /** Lets only the first key seal from now on. @throws Error when a key that protects secrets is missing */
  begin(keks: readonly Uint8Array[]): Promise<void>
  /** Removes the other keys from the database, because everything is now under the first key. */
  end(keks: readonly Uint8Array[]): Promise<void>
}

/** Steps of a rotation whose keys the operator sets. */
export interface SetRotation {
  begin(): Promise<void>
  end(): Promise<void>
}

/**
 * Wraps every secret under the first key that the operator has set, and removes the others from the database in the
 * first run that finds nothing under them.
 * @param variable where the operator sets the keys
 * @returns the text for the operator
 */
export async function rotateSetKeys(
  variable: string,
  rewrapAll: () => Promise<number>,
  { begin, end }: SetRotation,
): Promise<string> {
  await begin()
  const count = await rewrapAll()
  // An instance that still has the old key in front may have sealed a secret since then: the next run checks again.
  if (count > 0)
    return `${count} secrets are under the new key. Restart every instance with the new key in front of ${variable}, then run this again. Keep the old key until it finds none.`
  await end()
  return `0 secrets are under an old key. Take the old keys out of ${variable}.`
}

const NO_STEPS: RotationSteps = { register: async () => {}, begin: async () => {}, end: async () => {} }

/** Returns the keys of a rotation of `file`. An interrupted rotation left its new key in that file or beside it. */
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
 * Wraps every secret under a new key. With a text, its first key is the new one, and the database removes the old
 * key in the first run that finds nothing under it; otherwise the file gets a new key in front of the old one, which
 * is removed at the end. Running an interrupted rotation again resumes it.
 * @param rewrapAll wraps under the first of the keys, and returns the number of secrets that it wrapped
 * @param steps registers the new key before it is used, and retires the old one
 * @returns the text for the operator
 * @example await rotateKeks({ service: 'custody', variable: 'CUSTODY_KEK', file }, keks => rewrap(db,
 * createEnvelope(keks)), steps)
 */
export async function rotateKeks(
  source: KeySource,
  rewrapAll: (keks: readonly Uint8Array[]) => Promise<number>,
  steps: RotationSteps = NO_STEPS,
): Promise<string> {
  const { text, file, variable } = source
  if (text || !file) {
    const keks = loadKeks(source)
    const set = { begin: () => steps.begin(keks), end: () => steps.end(keks) }
    return rotateSetKeys(variable, () => rewrapAll(keks), set)
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
