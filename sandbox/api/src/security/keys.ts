/**
 * Service keys: P-256 keys, from which each environment's signing key is derived, and the secret that seals in the database.
 * Loaded from API_KEYS (JSON), or from a file that the first start writes. The first signing key signs, and all are
 * published: to rotate, put a new key in front and drop the old one after the longest life of an access token, so that
 * no user is signed out.
 */
import { randomBytes } from 'node:crypto'
import { newKeyPair } from '@keybay/sandbox-service/key-pair'
import { type FoundKey, findKeyText, type KeyText } from '@keybay/sandbox-service/keys'
import { findKeks, makeKek } from '@keybay/sandbox-service/secrets'
import * as v from 'valibot'
import { deriveSigningKeys, getPublicJwk, type SigningKeys } from './signing-keys.js'

const field = v.pipe(v.string(), v.regex(/^[\w-]{42,44}$/))
/** base64url of at least 32 bytes */
const operatorToken = v.pipe(v.string(), v.minLength(43))

/** Node imports a key whose halves do not belong together, and even 0, from which anyone could derive the same keys. */
function isPair({ x, y, d }: Readonly<Record<'x' | 'y' | 'd', string>>): boolean {
  try {
    const expected = getPublicJwk(Buffer.from(d, 'base64url'))
    return x === expected.x && y === expected.y
  } catch {
    return false
  }
}

const keyFile = v.object({
  /** ES256 */
  signing: v.pipe(
    v.array(
      v.pipe(
        v.object({ kty: v.literal('EC'), crv: v.literal('P-256'), x: field, y: field, d: field }),
        v.check(jwk => isPair(jwk)),
      ),
    ),
    v.minLength(1),
  ),
  /** Key-encryption keys, separated by commas: the first seals, all open. 32 bytes each, base64url. */
  secret: v.pipe(v.string(), v.regex(/^[\w-]{43}(?:,[\w-]{43})*$/)),
  /** Token that the operator's tools send to environments without one of their own. */
  operatorToken,
  /** Tokens of single environments, by their IDs: each serves that environment alone. */
  operatorTokens: v.optional(v.record(v.string(), operatorToken), {}),
})

export type Keys = ReturnType<typeof keysOf>

function newKeys(): v.InferOutput<typeof keyFile> {
  const { privateKey } = newKeyPair('P-256')
  return v.parse(keyFile, {
    signing: [privateKey.export({ format: 'jwk' })],
    secret: makeKek(),
    operatorToken: randomBytes(32).toString('base64url'),
  })
}

/** @throws Error that names the source of the wrong keys, and never quotes them */
export function parseKeyFile(text: string, source: string): v.InferOutput<typeof keyFile> {
  try {
    return v.parse(keyFile, JSON.parse(text))
  } catch {
    throw new Error(`api cannot start: ${source} does not hold the service's keys. See the README for their form.`)
  }
}

interface Source {
  readonly json?: string | undefined
  readonly file?: string | undefined
}

function findText({ json, file }: Source): KeyText {
  const source = { service: 'api', variable: 'API_KEYS', text: json, file }
  return findKeyText(source, () => JSON.stringify(newKeys(), null, 2))
}

/** Finds the keys, without writing any; `json` takes precedence. @throws Error that never quotes a key */
export function findKeys(keySource: Source): FoundKey<Keys> {
  const { text, from, isNew, save } = findText(keySource)
  const raw = parseKeyFile(text, from)
  const { value: keks, identities } = findKeks({ service: 'api', variable: 'API_KEYS', text: raw.secret })
  return {
    value: keysOf(raw, keks),
    source: { variable: 'API_KEYS', from, isNew, save },
    // Signing keys may change: the database depends only on the secret.
    identities: identities.map(identity => ({ ...identity, what: 'secret' })),
  }
}

/** Loads the keys of a service that was started before. @throws Error when there are none, and as {@link findKeys} */
export function loadKeys(keySource: Source): Keys {
  const { value, source } = findKeys(keySource)
  if (source.isNew) throw new Error('API_KEYS is not set. Set it, or API_KEYS_FILE to a file that holds the keys.')
  return value
}

function keysOf(raw: v.InferOutput<typeof keyFile>, keks: readonly Uint8Array[]) {
  const signingSecrets = raw.signing.map(({ d }) => Buffer.from(d, 'base64url'))
  const signingKeys = new Map<string, SigningKeys>()
  const operatorTokens = new Map(Object.entries(raw.operatorTokens))
  return {
    /** Returns the keys that sign what an environment issues. */
    forEnvironment(environmentId: string): SigningKeys {
      const keys = signingKeys.get(environmentId) ?? deriveSigningKeys(signingSecrets, environmentId)
      signingKeys.set(environmentId, keys)
      return keys
    },
    operatorToken: raw.operatorToken,
    operatorTokens,
    getOperatorToken: (environmentId: string) => operatorTokens.get(environmentId) ?? raw.operatorToken,
    /** The keys of `secret`. */
    keks,
  }
}
