/**
 * Rotates the key-encryption key of a file in three steps, with a restart of every instance between them. Which step is
 * next follows from the file and the database, so a step that was killed runs again.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { KeyRegistry, KeyStates } from './key-registry.js'
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
}

/** Tells the operator how to reach the next step. */
export function askForRestart(file: string): string {
  return `Give ${file} to every instance and restart each. Then run this again with --restarted.`
}

export const NOTHING_TO_CONFIRM = 'No rotation has begun. Run this without --restarted to begin one.'

/** Number of characters of a fingerprint in a file name. */
const SHOWN = 12

interface Keys {
  readonly keks: readonly Uint8Array[]
  readonly words: readonly string[]
  readonly fingerprints: readonly string[]
  readonly states: KeyStates
}

/** @throws Error for keys that the database does not know, or with which it could lose secrets */
async function readKeys({ service, variable, file, locked }: KekFileRotation): Promise<Keys> {
  if (!existsSync(file)) throw new Error(`${file} does not exist. Make the keys of ${service} with "keygen".`)
  const { value: keks } = findKeks({ service, variable, text: readFileSync(file, 'utf8').trim() })
  const fingerprints = kekFingerprints(service, keks)
  const states = await locked(registry => registry.states(KEK_NAME))
  if (states.size === 0) throw new Error(`The database of ${service} knows no key yet. Start the service once.`)
  const [first = ''] = fingerprints
  const state = states.get(first)
  if (state === undefined || state === 'retiring')
    throw new Error(`The first key of ${file} is not the one that seals. Put the key that the instances use in front.`)
  if (keks.length > 2)
    throw new Error(`${file} has more than two keys. Take out those that no secret is under (README, "Keys").`)
  return { keks, words: keks.map(kek => Buffer.from(kek).toString('base64url')), fingerprints, states }
}

/** Registers a new key and adds it behind the old one. A killed run left its key beside the file. */
async function addKey({ service, file, locked }: KekFileRotation, { words }: Keys): Promise<string> {
  const draft = `${file}.next`
  if (!existsSync(draft)) replaceFile(draft, makeKek())
  const next = readFileSync(draft, 'utf8')
  await rotationSteps(service, locked).register(new Uint8Array(Buffer.from(next, 'base64url')))
  replaceFile(file, [...words, next].join(','))
  rmSync(draft)
  return `Step 1 of 3: a new key is behind the old one. ${askForRestart(file)}`
}

/** Moves every secret to the new key, and the old key to a file beside. */
async function finish(rotation: KekFileRotation, { keks, words, fingerprints }: Keys): Promise<string> {
  const { service, file, locked, rewrapAll } = rotation
  const steps = rotationSteps(service, locked)
  await steps.begin(keks)
  const count = await rewrapAll(keks)
  const late = await rewrapAll(keks)
  if (late > 0)
    throw new Error(
      `${late} secrets were sealed under the old key just now, so an instance still has it in front. ${askForRestart(file)}`,
    )
  await steps.end(keks)
  const [word = '', old = ''] = words
  const retired = `${file}.retired-${fingerprints[1]?.slice(0, SHOWN)}`
  replaceFile(retired, old)
  replaceFile(file, word)
  return `Step 3 of 3: ${count} secrets were moved to the new key, and no secret is under the old one. Give ${file} to every instance and restart each. Keep ${retired} as long as a backup from before now: only that key opens it.`
}

/**
 * Takes the next step of a rotation. Without `isRestarted` it begins one, or says what is missing for the next step.
 * @returns the text for the operator
 * @throws Error that quotes no key
 */
export async function rotateKekFile(rotation: KekFileRotation): Promise<string> {
  const { file, isRestarted } = rotation
  const unlock = await lockFolder(dirname(file))
  try {
    const keys = await readKeys(rotation)
    const { words, fingerprints, states } = keys
    const [first, second] = fingerprints.map(fingerprint => states.get(fingerprint))
    if (words.length === 1) {
      if (isRestarted) throw new Error(NOTHING_TO_CONFIRM)
      return await addKey(rotation, keys)
    }
    if (first === 'next')
      return `Step 2 of 3 is done, but no instance has started with the new key in front. ${askForRestart(file)}`
    const place = second === 'next' ? 'behind' : 'in front of'
    if (!isRestarted) return `A rotation has begun: the new key is ${place} the old one. ${askForRestart(file)}`
    if (second !== 'next') return await finish(rotation, keys)
    replaceFile(file, words.toReversed().join(','))
    return `Step 2 of 3: the new key is in front, and seals from the next start. ${askForRestart(file)}`
  } finally {
    unlock()
  }
}
