/** Finds a service's keys: in its environment, in a file of an earlier start, or, for a first start, generates them. */
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readOrWrite } from './files.js'

export interface KeySource {
  readonly service: string
  /** Name of the environment variable, for errors. */
  readonly variable: string
  readonly text?: string | undefined
  /** File that holds the key when the variable is not set. */
  readonly file?: string | undefined
}

/** Text of a key, before first use. */
export interface KeyText {
  readonly text: string
  /** Variable or file name, for errors that must not quote the key. */
  readonly from: string
  /** True for a key that was just generated and is not stored yet. */
  readonly isNew: boolean
  /** Writes a new key to its file. @throws Error when another process has written a different key in the meantime */
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
 * Finds a key, or generates one without writing it: only its database knows whether the service may have a new key,
 * see `admitKeys`.
 * @example findKeyText({ service: 'relay', variable: 'RELAY_KEK', text: options.kek, file }, makeKek)
 */
export function findKeyText({ variable, text, file }: KeySource, make: () => string): KeyText {
  if (text) return { text, from: variable, isNew: false, save: () => undefined }
  const storedText = file === undefined ? undefined : readFile(file)
  if (storedText !== undefined) return { text: storedText, from: file ?? variable, isNew: false, save: () => undefined }
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
 * Returns the fingerprint of a key: HMAC-SHA-256 under the key itself. It reveals neither the key nor whether another
 * service has the same one.
 * @param label of the service and the key, for example `relay/kek`
 */
export function getFingerprint(label: string, secret: string | Uint8Array): string {
  return createHmac('sha256', secret).update(`keybay/fingerprint/${label}`).digest('base64url')
}

/** Identity of a key in use, by its fingerprints. */
export interface KeyIdentity {
  /** Name in the database, for example `kek`. Never changes. */
  readonly name: string
  /** Name in errors, for example `key-encryption key`. */
  readonly what: string
  /** The key that seals or signs first, then others that open or verify. */
  readonly fingerprints: readonly string[]
  /** True when the database holds secrets that only these keys open: then every used key must be present. */
  readonly opensSecrets: boolean
}

/** A key that was found, with the value that the service derives from it. */
export interface FoundKey<T> {
  readonly value: T
  readonly source: Pick<KeySource, 'variable'> & Pick<KeyText, 'from' | 'isNew' | 'save'>
  /** Key identities; one text may hold several keys. */
  readonly identities: readonly KeyIdentity[]
}
