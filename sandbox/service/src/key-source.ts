/** Where a service's keys come from: its environment, a file of an earlier start, or, for a first start, new ones. */
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readOrWrite } from './write-once.js'

export interface KeySource {
  /** Named in errors. */
  readonly service: string
  /** The environment variable, named in errors. */
  readonly variable: string
  /** The value of the variable. */
  readonly text?: string | undefined
  /** Holds the key where the variable is not set. */
  readonly file?: string | undefined
}

/** The text of a key, before it is used anywhere. */
export interface KeyText {
  readonly text: string
  /** The variable or the file, for errors that must not quote the key. */
  readonly from: string
  /** Whether it was made just now. Nothing has been written yet. */
  readonly isNew: boolean
  /** Writes a new key to its file. @throws Error when another process wrote another one meanwhile */
  save(): void
}

function readFile(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Finds a key, or makes one and writes nothing: whether the service may have a new key is not known before its database
 * was asked, see `admitKeys`.
 *
 * @example findKeyText({ service: 'relay', variable: 'RELAY_KEK', text: options.kek, file }, makeKek)
 */
export function findKeyText({ variable, text, file }: KeySource, make: () => string): KeyText {
  if (text) return { text, from: variable, isNew: false, save: () => undefined }
  const kept = file === undefined ? undefined : readFile(file)
  if (kept !== undefined) return { text: kept, from: file ?? variable, isNew: false, save: () => undefined }
  const made = make()
  return {
    text: made,
    from: file ?? 'memory',
    isNew: true,
    save() {
      if (file !== undefined && readOrWrite(file, () => made) !== made)
        throw new Error(`Another process wrote ${file} just now. Start again.`)
    },
  }
}

/**
 * Makes the fingerprint of a key: HMAC-SHA-256 under the key itself. It tells neither the key nor whether another service
 * has the same one.
 *
 * @param label of the service and the key, for example `relay/kek`
 */
export function fingerprintOf(label: string, secret: string | Uint8Array): string {
  return createHmac('sha256', secret).update(`keybay/fingerprint/${label}`).digest('base64url')
}

/** A key in use, by its fingerprints. */
export interface KeyIdentity {
  /** In the database, for example `kek`. Never changes. */
  readonly name: string
  /** In errors, for example `key-encryption key`. */
  readonly what: string
  /** The key that seals or signs first, then others that open or verify. */
  readonly fingerprints: readonly string[]
  /** Whether the database holds what only this key opens: then every key that was used must be there. */
  readonly opensSecrets: boolean
}

/** A key that was found, with what the service makes of it. */
export interface FoundKey<T> {
  readonly value: T
  readonly source: Pick<KeySource, 'variable'> & Pick<KeyText, 'from' | 'isNew' | 'save'>
  /** One text may hold several keys. */
  readonly identities: readonly KeyIdentity[]
}
