/**
 * Keys of a party: P-256 for records and for messages to the other relay, X25519 for messages sealed to this
 * party, and the key-encryption keys. All keys come from the environment, or from files written at the first start.
 */
import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { newKeyPair } from '@keybay/sandbox-service/key-pair'
import { type FoundKey, findKeyText, getFingerprint } from '@keybay/sandbox-service/keys'
import { findKeks } from '@keybay/sandbox-service/secrets'
import { sealingKeyPair } from '@keybay/waas/mpc'
import * as v from 'valibot'
import { getThumbprint, type PublicJwk, publicJwk } from './crypto/jwk.js'
import { toBytes, toText } from './http/fields.js'
import type { RelayOptions } from './index.js'
import type { RelayParty } from './services.js'

const secret = v.pipe(v.string(), v.regex(/^[\w-]{43}$/))
const sealingPair = v.strictObject({ secretKey: secret, publicKey: secret })
const keyFile = v.strictObject({
  /** The first key signs; all are published. A key without `d` only verifies records that it signed before. */
  record: v.pipe(v.array(v.strictObject({ ...publicJwk.entries, d: v.optional(secret) })), v.minLength(1)),
  /** X25519, 32 bytes each, base64url: one pair, or several, of which the first is published and all open. */
  sealing: v.pipe(
    v.union([sealingPair, v.array(sealingPair)]),
    v.transform(pairs => [pairs].flat()),
    v.minLength(1),
  ),
})

export type PartyKeys = ReturnType<typeof parse>

function newRecordKey(): object {
  const { kty, crv, x, y, d } = newKeyPair('P-256').privateKey.export({ format: 'jwk' })
  return { kty, crv, x, y, d }
}

function newSealingPair(): object {
  const { secretKey, publicKey } = sealingKeyPair()
  return { secretKey: toText(secretKey), publicKey: toText(publicKey) }
}

function newKeys(): string {
  return JSON.stringify({ record: [newRecordKey()], sealing: newSealingPair() }, null, 2)
}

function read(text: string, source: string): v.InferOutput<typeof keyFile> {
  try {
    return v.parse(keyFile, JSON.parse(text))
  } catch {
    throw new Error(`relay cannot start: ${source} does not hold the party's keys. See the README for their form.`)
  }
}

interface KeySource {
  readonly json?: string | undefined
  readonly file?: string | undefined
}

function parse(raw: v.InferOutput<typeof keyFile>) {
  const [first] = raw.record
  const [sealing, ...others] = raw.sealing.map(({ secretKey, publicKey }) => ({
    secretKey: toBytes(secretKey),
    publicKey: toBytes(publicKey),
  }))
  if (first?.d === undefined || !sealing) throw new Error('relay: the first record key has no private half')
  const record = { kid: getThumbprint(first), key: createPrivateKey({ key: { ...first, d: first.d }, format: 'jwk' }) }
  return {
    record,
    /** Record keys by key ID. */
    recordKeys: new Map<string, PublicJwk>(raw.record.map(({ d: _, ...jwk }) => [getThumbprint(jwk), jwk])),
    /** Pair that is published. */
    sealing,
    /** Pairs that open: a sender may not know a new one yet. */
    sealingPairs: [sealing, ...others],
  }
}

export type PartyKeyName = 'record' | 'sealing'
type RawKey = v.InferOutput<typeof keyFile>[PartyKeyName][number]

function fingerprintOf(party: RelayParty, name: PartyKeyName, key: RawKey): string | undefined {
  const secret = 'secretKey' in key ? key.secretKey : key.d
  return secret === undefined ? undefined : getFingerprint(`${party}/${name}`, secret)
}

/** Returns how the keys of a name stand in a file with these keys, for a rotation. */
export function getKeyList(party: RelayParty, name: PartyKeyName, file: string) {
  const readFile = () => read(readFileSync(file, 'utf8'), file)
  return {
    read: (text: string) =>
      read(text, file)[name].map(key => ({ text: JSON.stringify(key), fingerprint: fingerprintOf(party, name, key) })),
    make: () => JSON.stringify(name === 'record' ? newRecordKey() : newSealingPair()),
    write: (keys: readonly string[]) =>
      JSON.stringify({ ...readFile(), [name]: keys.map(key => JSON.parse(key)) }, null, 2),
  }
}

/**
 * Finds the party's keys and writes nothing. @throws Error
 * that names the source of wrong keys, but never quotes a key
 */
function findKeys({ json, file }: KeySource, party: RelayParty): FoundKey<PartyKeys> {
  const { text, from, isNew, save } = findKeyText(
    { service: 'relay', variable: 'RELAY_KEYS', text: json, file },
    newKeys,
  )
  const raw = read(text, from)
  const identity = (name: PartyKeyName, what: string, keys: readonly RawKey[]) => ({
    name,
    what,
    fingerprints: keys.flatMap(key => fingerprintOf(party, name, key) ?? []),
    opensSecrets: false,
  })
  return {
    value: parse(raw),
    source: { variable: 'RELAY_KEYS', from, isNew, save },
    identities: [identity('record', 'record key', raw.record), identity('sealing', 'sealing key', raw.sealing)],
  }
}

/** Returns the source of a party's key-encryption keys. The service's name is part of their fingerprints. */
export function kekSource({ json, file }: KeySource, party: RelayParty) {
  return { service: party === 'R1' ? 'relay' : 'relay2', variable: 'RELAY_KEK', text: json, file }
}

/** Returns finders for all keys of a party. */
export function findAllKeys({ keys, kek, dataDir }: Pick<RelayOptions, 'keys' | 'kek' | 'dataDir'>, party: RelayParty) {
  return {
    keys: () => findKeys({ json: keys, file: dataDir && join(dataDir, 'keys.json') }, party),
    kek: () => findKeks(kekSource({ json: kek, file: dataDir && join(dataDir, 'kek') }, party)),
  }
}
