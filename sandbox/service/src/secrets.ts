/** Secrets that a service is given by its environment, or makes at its first start and keeps in a file. */
import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder } from './make-folder.js'

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code

/**
 * What a file holds; the first start writes it, readable by this user alone. It is there whole or not at all, and of two
 * that start at once both get what one of them wrote.
 */
export const readOrWrite = (file: string, make: () => string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error
    makeFolder(dirname(file))
    const draft = `${file}.${randomBytes(8).toString('hex')}`
    writeFileSync(draft, make(), { mode: 0o600, flag: 'wx' })
    try {
      linkSync(draft, file)
    } catch (taken) {
      if (!isCode(taken, 'EEXIST')) throw taken
    } finally {
      rmSync(draft)
    }
    return readFileSync(file, 'utf8')
  }
}

export interface KekSource {
  /** Named in the error. */
  readonly service: string
  /** The environment variable, named in the error. */
  readonly variable: string
  /** 32 bytes in base64url; several are separated by commas. */
  readonly text?: string | undefined
  readonly file?: string | undefined
}

/**
 * Key-encryption keys: the first seals, all open. Without a text they are in the file, without a file in memory.
 *
 * @throws Error that does not quote them
 * @example createEnvelope(loadKeks({ service: 'relay', variable: 'RELAY_KEK', text: process.env.RELAY_KEK }))
 */
export const loadKeks = ({ service, variable, text: given, file }: KekSource): readonly Uint8Array[] => {
  const fresh = () => randomBytes(32).toString('base64url')
  const text = given || (file ? readOrWrite(file, fresh) : fresh())
  const keys = text.split(',').map(one => one.trim())
  if (keys.some(one => !/^[\w-]{43}$/.test(one)))
    throw new Error(
      `${service} cannot start: ${given ? variable : file} must be 32 bytes in base64url, or several, separated by commas`,
    )
  return keys.map(one => new Uint8Array(Buffer.from(one, 'base64url')))
}

/** Writes the file whole beside it, then moves it: a file that breaks off would lose every secret. */
export const replaceFile = (file: string, text: string): void => {
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

/**
 * Has every secret wrapped anew. With a text its first key is the new one; else the file gets a new one, in front of the
 * old one, which goes when all is done. A rotation that was broken off left both there: the next one goes on with it.
 *
 * @param wrapAnew under the first of the keys; says how many secrets it did
 * @returns what to tell the operator
 * @example await rotateKeks({ service: 'custody', variable: 'CUSTODY_KEK', file }, keks => rewrap(db, createEnvelope(keks)))
 */
export const rotateKeks = async (
  source: KekSource,
  wrapAnew: (keks: readonly Uint8Array[]) => Promise<number>,
): Promise<string> => {
  const { text, file, variable } = source
  const before = loadKeks(source)
  if (text || !file)
    return `${await wrapAnew(before)} secrets are under the new key: take the old ones out of ${variable}.`
  const keks = before.length > 1 ? before : [new Uint8Array(randomBytes(32)), ...before]
  const words = keks.map(kek => Buffer.from(kek).toString('base64url'))
  replaceFile(file, words.join(','))
  const count = await wrapAnew(keks)
  replaceFile(file, words.slice(0, 1).join())
  return `${count} secrets are under the new key.`
}
