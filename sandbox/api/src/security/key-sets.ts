/** Verification keys that an issuer publishes, and the accepted algorithms. */
import { createRemoteJWKSet } from 'jose'

/** Signatures by a key pair only: with a shared secret, every verifier could also sign. */
export const KEY_PAIR_ALGORITHMS: string[] = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
]

type KeySet = ReturnType<typeof createRemoteJWKSet>
const keySets = new Map<string, KeySet>()

/** A cache, nothing more: keys are fetched again when one is unknown. @param url of a JWKS, from the service's configuration */
export function keySet(url: string): KeySet {
  const known =
    keySets.get(url) ?? createRemoteJWKSet(new URL(url), { timeoutDuration: 5_000, cooldownDuration: 10_000 })
  keySets.set(url, known)
  return known
}
