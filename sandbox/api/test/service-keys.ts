/** Makes the API's keys (API_KEYS) for tests, which may then sign in the place of the API. */
import { randomBytes } from 'node:crypto'
import { newKeyPair } from '@keybay/sandbox-service/key-pair'
import { deriveSigningKeys, type SigningKeys } from '../src/security/signing-keys.js'

function random(): string {
  return randomBytes(32).toString('base64url')
}

/** Returns the file's content. */
export function createServiceKeys() {
  const { privateKey } = newKeyPair('P-256')
  return { signing: [privateKey.export({ format: 'jwk' })], secret: random(), operatorToken: random() }
}

/** Returns the keys with which the API signs for an environment. */
export function getSigningKeys({ signing }: ReturnType<typeof createServiceKeys>, environmentId: string): SigningKeys {
  return deriveSigningKeys(
    signing.map(({ d = '' }) => Buffer.from(d, 'base64url')),
    environmentId,
  )
}
