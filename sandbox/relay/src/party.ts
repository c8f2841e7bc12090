/**
 * A party's own keys: P-256 for records and for what it says to the other relay, X25519 for what is sealed to it, and the
 * key-encryption keys. From the environment, or from files that the first start writes.
 */
import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { loadKeks as readKeks, readOrWrite } from '@keybay/sandbox-service/secrets'
import { type SealingKeyPair, sealingKeyPair } from '@keybay/waas/mpc'
import * as v from 'valibot'
import { type PublicJwk, publicJwk, thumbprintOf } from './authority/keys.js'
import { toBytes, toText } from './http/fields.js'

const secret = v.pipe(v.string(), v.regex(/^[\w-]{43}$/))
const keyFile = v.strictObject({
  /** The first signs, all are published. */
  record: v.pipe(v.array(v.strictObject({ ...publicJwk.entries, d: secret })), v.minLength(1)),
  /** X25519, 32 bytes each, base64url. */
  sealing: v.strictObject({ secretKey: secret, publicKey: secret }),
})

export interface PartyKeys {
  readonly record: { readonly kid: string; readonly key: KeyObject }
  /** By key id. */
  readonly recordKeys: ReadonlyMap<string, PublicJwk>
  readonly sealing: SealingKeyPair
}

const newKeys = (): v.InferInput<typeof keyFile> => {
  const { kty, crv, x, y, d } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })
  const sealing = sealingKeyPair()
  return v.parse(keyFile, {
    record: [{ kty, crv, x, y, d }],
    sealing: { secretKey: toText(sealing.secretKey), publicKey: toText(sealing.publicKey) },
  })
}

const read = (text: string, source: string): v.InferOutput<typeof keyFile> => {
  try {
    return v.parse(keyFile, JSON.parse(text))
  } catch {
    throw new Error(`relay cannot start: ${source} does not hold the party's keys. See the README for their form.`)
  }
}

export interface KeySource {
  readonly json?: string | undefined
  readonly file?: string | undefined
}

/** @throws Error that names where wrong keys came from, and never quotes them */
export const loadKeys = ({ json, file }: KeySource): PartyKeys => {
  const write = () => JSON.stringify(newKeys(), null, 2)
  const raw = json ? read(json, 'RELAY_KEYS') : read(file ? readOrWrite(file, write) : write(), file ?? 'memory')
  const loaded = raw.record.map(({ d, ...jwk }) => ({
    kid: thumbprintOf(jwk),
    jwk,
    key: createPrivateKey({ key: { ...jwk, d }, format: 'jwk' }),
  }))
  const [record] = loaded
  if (!record) throw new Error('relay: there is no record key')
  return {
    record,
    recordKeys: new Map(loaded.map(({ kid, jwk }) => [kid, jwk])),
    sealing: { secretKey: toBytes(raw.sealing.secretKey), publicKey: toBytes(raw.sealing.publicKey) },
  }
}

/** @throws Error that does not quote them */
export const loadKeks = ({ json, file }: KeySource): readonly Uint8Array[] =>
  readKeks({ service: 'relay', variable: 'RELAY_KEK', text: json, file })
