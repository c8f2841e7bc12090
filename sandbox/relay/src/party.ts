/**
 * Keys of a party: P-256 for records and for messages to the other relay, X25519 for messages sealed to this
 * party, and the key-encryption keys. All keys come from the environment, or from files written at the first start.
 */
import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { join } from 'node:path'
import { type FoundKey, findKeyText, getFingerprint } from '@keybay/sandbox-service/keys'
import { findKeks } from '@keybay/sandbox-service/secrets'
import { sealingKeyPair } from '@keybay/waas/mpc'
import * as v from 'valibot'
import { getThumbprint, type PublicJwk, publicJwk } from './crypto/jwk.js'
import { toBytes, toText } from './http/fields.js'
import type { RelayOptions } from './index.js'
import type { RelayParty } from './services.js'

const secret = v.pipe(v.string(), v.regex(/^[\w-]{43}$/))
const keyFile = v.strictObject({
  /** The first key signs; all are published. */
  record: v.pipe(v.array(v.strictObject({ ...publicJwk.entries, d: secret })), v.minLength(1)),
  /** X25519, 32 bytes each, base64url. */
  sealing: v.strictObject({ secretKey: secret, publicKey: secret }),
})

export type PartyKeys = ReturnType<typeof parse>

function newKeys(): string {
  const { kty, crv, x, y, d } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })
  const { secretKey, publicKey } = sealingKeyPair()
  const sealing = { secretKey: toText(secretKey), publicKey: toText(publicKey) }
  return JSON.stringify({ record: [{ kty, crv, x, y, d }], sealing }, null, 2)
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
  const loaded = raw.record.map(({ d, ...jwk }) => ({
    kid: getThumbprint(jwk),
    jwk,
    key: createPrivateKey({ key: { ...jwk, d }, format: 'jwk' }),
  }))
  const [record] = loaded
  if (!record) throw new Error('relay: there is no record key')
  return {
    record,
    /** Record keys by key ID. */
    recordKeys: new Map<string, PublicJwk>(loaded.map(({ kid, jwk }) => [kid, jwk])),
    sealing: { secretKey: toBytes(raw.sealing.secretKey), publicKey: toBytes(raw.sealing.publicKey) },
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
  const identity = (name: string, what: string, secrets: readonly string[]) => ({
    name,
    what,
    fingerprints: secrets.map(secret => getFingerprint(`${party}/${name}`, secret)),
    opensSecrets: false,
  })
  const recordSecrets = raw.record.map(({ d }) => d)
  return {
    value: parse(raw),
    source: { variable: 'RELAY_KEYS', from, isNew, save },
    identities: [
      identity('record', 'record key', recordSecrets),
      identity('sealing', 'sealing key', [raw.sealing.secretKey]),
    ],
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
