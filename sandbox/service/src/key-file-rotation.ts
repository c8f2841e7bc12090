/**
 * Rotates a key of a file in three steps, with a restart of every instance between them. Which step is next follows from
 * the file and the database, so a step that was killed runs again.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { type KeyRegistry, type KeyStates, registerNext } from './key-registry.js'
import { lockFolder } from './lock.js'
import { rotationSteps } from './rotation-steps.js'
import { findKeks, KEK_NAME, kekFingerprints, makeKek, replaceFile } from './secrets.js'

export interface RotatedFile {
  readonly file: string
  /** The operator's word that every instance has restarted with the file as it is. */
  readonly isRestarted: boolean
}

export interface KekFileRotation extends RotatedFile {
  /** Name of the service in fingerprints and errors. */
  readonly service: string
  readonly variable: string
  /** Runs work while no other process changes the registry. */
  readonly locked: <T>(work: (registry: KeyRegistry) => Promise<T>) => Promise<T>
  /** Wraps every secret under the first of the keys, and returns the number of secrets that it wrapped. */
  readonly rewrapAll: (keks: readonly Uint8Array[]) => Promise<number>
  /** Finds the keys in a file that holds more than them, and replaces them there. Default: the file is the keys. */
  readonly part?: FilePart
}

export interface FilePart {
  /** @throws Error that quotes no key */
  read(text: string): string
  /** Returns the new text of the file. @param text the file as it is */
  replace(text: string, keks: string): string
}

const WHOLE: FilePart = { read: text => text, replace: (_, keks) => keks }

/** Tells the operator how to reach the next step. */
export function askForRestart(file: string): string {
  return `Give ${file} to every instance and restart each. Then run this again with --restarted.`
}

export const NOTHING_TO_CONFIRM = 'No rotation has begun. Run this without --restarted to begin one.'

/** Number of characters of a fingerprint in a file name. */
const SHOWN = 12

export interface FileKey {
  /** The key's part of the file. */
  readonly text: string
  /** Undefined for a key that only verifies. */
  readonly fingerprint: string | undefined
}

/** Rotation of one kind of key in a file: its first key is used, and the others are accepted. */
export interface KeyFileRotation extends RotatedFile {
  readonly service: string
  /** Name of the keys in the registry. */
  readonly name: string
  /** Runs work while no other process changes the registry. */
  readonly locked: <T>(work: (registry: KeyRegistry) => Promise<T>) => Promise<T>
  /** Reads the keys of the file. @throws Error that quotes no key */
  readonly read: (text: string) => readonly FileKey[]
  readonly make: () => string
  /** Returns the new text of the file. */
  readonly write: (keys: readonly string[]) => string
  /** Returns what the operator does before the next step, apart from the restarts. */
  readonly tell: (step: 1 | 2) => string
  /** Ends the use of the old key. @returns the keys that stay, and what was done @throws Error when it is too early */
  readonly finish: (keys: readonly FileKey[]) => Promise<{ readonly kept: readonly string[]; readonly text: string }>
}

interface Keys {
  readonly keys: readonly FileKey[]
  readonly texts: readonly string[]
  readonly states: KeyStates
}

/** @throws Error for keys that the database does not know, or with which it could lose secrets */
async function readKeys({ service, name, file, locked, read }: KeyFileRotation): Promise<Keys> {
  if (!existsSync(file)) throw new Error(`${file} does not exist. Make the keys of ${service} with "keygen".`)
  const keys = read(readFileSync(file, 'utf8').trim())
  const states = await locked(registry => registry.states(name))
  if (states.size === 0) throw new Error(`The database of ${service} knows no key yet. Start the service once.`)
  const state = states.get(keys[0]?.fingerprint ?? '')
  if (state === undefined || state === 'retiring')
    throw new Error(
      `The first key of ${file} is not the one that is in use. Put the key that the instances use in front.`,
    )
  if (keys.filter(({ fingerprint }) => fingerprint !== undefined).length > 2)
    throw new Error(`${file} has more than two keys. Take out those that are in use no more (README, "Keys").`)
  return { keys, texts: keys.map(({ text }) => text), states }
}

/** Registers a new key and adds it behind the old one. A killed run left its key beside the file. */
async function addKey(rotation: KeyFileRotation, { texts }: Keys): Promise<string> {
  const { name, file, locked, read, make, write, tell } = rotation
  const draft = `${file}.next${name === KEK_NAME ? '' : `-${name}`}`
  if (!existsSync(draft)) replaceFile(draft, make())
  const [old = '', ...others] = texts
  const text = write([old, readFileSync(draft, 'utf8'), ...others])
  const fingerprint = read(text)[1]?.fingerprint ?? ''
  await locked(registry => registerNext(registry, name, fingerprint))
  replaceFile(file, text)
  rmSync(draft)
  return `Step 1 of 3: a new key is behind the old one. ${tell(1)}${askForRestart(file)}`
}

/**
 * Takes the next step of a rotation. Without `isRestarted` it begins one, or says what is missing for the next step.
 * @returns the text for the operator
 * @throws Error that quotes no key
 */
export async function rotateKeyFile(rotation: KeyFileRotation): Promise<string> {
  const { name, file, isRestarted, locked, write, tell, finish } = rotation
  const unlock = await lockFolder(dirname(file))
  try {
    const current = await readKeys(rotation)
    const { keys, texts, states } = current
    const [first, second] = keys.map(({ fingerprint }) => states.get(fingerprint ?? ''))
    if (keys[1]?.fingerprint === undefined) {
      if (isRestarted) throw new Error(NOTHING_TO_CONFIRM)
      return await addKey(rotation, current)
    }
    if (first === 'next')
      return `Step 2 of 3 is done, but no instance has started with the new key in front. ${tell(2)}${askForRestart(file)}`
    const place = second === 'next' ? 'behind' : 'in front of'
    const step = second === 'next' ? 1 : 2
    if (!isRestarted)
      return `A rotation has begun: the new key is ${place} the old one. ${tell(step)}${askForRestart(file)}`
    if (step === 2) {
      const { kept, text } = await finish(keys)
      replaceFile(file, write(kept))
      const { fingerprint } = keys[1]
      if (name !== KEK_NAME) await locked(registry => registry.remove(name, fingerprint))
      return `Step 3 of 3: ${text}`
    }
    const [old = '', next = '', ...others] = texts
    replaceFile(file, write([next, old, ...others]))
    return `Step 2 of 3: the new key is in front, and is used from the next start. ${tell(2)}${askForRestart(file)}`
  } finally {
    unlock()
  }
}

/** Moves every secret to the new key, and the old key to a file beside. */
async function finishKeks({ service, file, locked, rewrapAll }: KekFileRotation, keys: readonly FileKey[]) {
  const steps = rotationSteps(service, locked)
  const keks = keys.map(({ text }) => new Uint8Array(Buffer.from(text, 'base64url')))
  await steps.begin(keks)
  const count = await rewrapAll(keks)
  const late = await rewrapAll(keks)
  if (late > 0)
    throw new Error(
      `${late} secrets were sealed under the old key just now, so an instance still has it in front. ${askForRestart(file)}`,
    )
  await steps.end(keks)
  const [next, old] = keys
  const retired = `${file}.retired-${old?.fingerprint?.slice(0, SHOWN)}`
  replaceFile(retired, old?.text ?? '')
  const text = `${count} secrets were moved to the new key, and no secret is under the old one. Give ${file} to every instance and restart each. Keep ${retired} as long as a backup from before now: only that key opens it.`
  return { kept: next ? [next.text] : [], text }
}

/** As {@link rotateKeyFile}, for key-encryption keys. */
export function rotateKekFile(rotation: KekFileRotation): Promise<string> {
  const { service, variable, file, isRestarted, locked, part = WHOLE } = rotation
  return rotateKeyFile({
    ...{ service, file, isRestarted, locked, name: KEK_NAME },
    read(text) {
      const { value } = findKeks({ service, variable, text: part.read(text) })
      const fingerprints = kekFingerprints(service, value)
      return value.map((kek, index) => ({
        text: Buffer.from(kek).toString('base64url'),
        fingerprint: fingerprints[index],
      }))
    },
    make: makeKek,
    write: keks => part.replace(readFileSync(file, 'utf8'), keks.join(',')),
    tell: () => '',
    finish: keys => finishKeks(rotation, keys),
  })
}
