/** Rotates the API's signing key in three steps, with a restart of every instance between them. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { lockFolder } from '@keybay/sandbox-service'
import { newKeyPair } from '@keybay/sandbox-service/key-pair'
import {
  askForRestart,
  getFingerprint,
  type KeyRegistry,
  NOTHING_TO_CONFIRM,
  type RotatedFile,
} from '@keybay/sandbox-service/keys'
import { replaceFile } from '@keybay/sandbox-service/secrets'
import * as v from 'valibot'
import { findKeys } from './keys.js'

/** Name in the registry. Starts do not compare it: it only remembers the step. */
const SIGNING_NAME = 'signing'
/** Longest life of an access token, in ms. */
const MAX_TOKEN_LIFE_MS = 3_600_000

const keyFile = v.looseObject({ signing: v.pipe(v.array(v.looseObject({ d: v.string() })), v.minLength(1)) })

interface SigningRotation extends RotatedFile {
  readonly locked: <T>(work: (registry: KeyRegistry) => Promise<T>) => Promise<T>
  /** ms since epoch */
  readonly now: number
}
type File = v.InferOutput<typeof keyFile>

function write(file: string, content: File, signing: File['signing']): void {
  replaceFile(file, JSON.stringify({ ...content, signing }, null, 2))
}

/** @throws Error that quotes no key */
function readFile(file: string): File {
  if (!existsSync(file)) throw new Error(`${file} does not exist. Make the keys of the API with "keygen".`)
  const text = readFileSync(file, 'utf8')
  findKeys({ json: text })
  return v.parse(keyFile, JSON.parse(text))
}

function makeSigningKey(): File['signing'][number] {
  const key = newKeyPair('P-256').privateKey.export({ format: 'jwk' })
  return v.parse(v.looseObject({ d: v.string() }), key)
}

function getSigningFingerprint({ d }: { readonly d: string }): string {
  return getFingerprint('api/signing', d)
}

/** Removes the old key once no token is left that it signed. */
async function finish({ file, locked, now }: SigningRotation, content: File): Promise<string> {
  const ends = statSync(file).mtimeMs + MAX_TOKEN_LIFE_MS
  if (now < ends)
    throw new Error(
      `Tokens of the old key are valid for up to an hour after the last restart. Run this again after ${new Date(ends).toISOString()}, or later if an instance restarted later.`,
    )
  write(file, content, content.signing.slice(0, 1))
  await locked(async registry => {
    for (const fingerprint of (await registry.states(SIGNING_NAME)).keys())
      await registry.remove(SIGNING_NAME, fingerprint)
  })
  return `Step 3 of 3: the old key is gone. Give ${file} to every instance and restart each.`
}

/**
 * Takes the next step of a rotation. Without `isRestarted` it begins one, or says what is missing for the next step.
 * @returns the text for the operator
 * @throws Error that quotes no key
 */
export async function rotateSigningFile(rotation: SigningRotation): Promise<string> {
  const { file, locked, isRestarted } = rotation
  const unlock = await lockFolder(dirname(file))
  try {
    const content = readFile(file)
    const { signing } = content
    if (signing.length > 2) throw new Error(`${file} has more than two signing keys. Take the oldest out.`)
    if (signing.length === 1) {
      if (isRestarted) throw new Error(NOTHING_TO_CONFIRM)
      const next = makeSigningKey()
      await locked(registry => registry.set(SIGNING_NAME, getSigningFingerprint(next), 'next'))
      write(file, content, [...signing, next])
      return `Step 1 of 3: a new key is behind the old one, and is published from the next start. ${askForRestart(file)}`
    }
    const states = await locked(registry => registry.states(SIGNING_NAME))
    const [first, second] = signing.map(key => states.get(getSigningFingerprint(key)))
    const place = second === 'next' ? 'behind' : 'in front of'
    if (!isRestarted) return `A rotation has begun: the new key is ${place} the old one. ${askForRestart(file)}`
    if (first === undefined && second === undefined)
      throw new Error(`No rotation has put a second signing key into ${file}. Take one of the two out.`)
    if (second !== 'next') return await finish(rotation, content)
    write(file, content, signing.toReversed())
    return `Step 2 of 3: the new key is in front, and signs from the next start. Give ${file} to every instance and restart each. Run this again with --restarted an hour after the last restart.`
  } finally {
    unlock()
  }
}
