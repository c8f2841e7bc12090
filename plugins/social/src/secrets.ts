/**
 * State, nonce and PKCE verifier of one flow. All three come of one key that no script can read, so that what is kept over a
 * redirect is that key, and nothing secret is at rest in the clear. The provider sees their hashes only: what comes back in an
 * address opens nothing without them.
 */
import { hash, mac } from './bytes.js'

export interface FlowSecrets {
  /** Its hash comes back with the answer, so that nobody else's answer is taken (RFC 6749, 10.12). */
  readonly state: string
  /** Its hash comes back in the id token (OpenID Connect Core, 3.1.2.1). */
  readonly nonce: string
  /** Whoever stole the code does not have it (RFC 7636). */
  readonly codeVerifier: string
}
export interface FlowHashes {
  readonly stateHash: string
  readonly nonceHash: string
  /** `S256` of RFC 7636, 4.2. */
  readonly codeChallenge: string
}

/** One for each flow. */
export function newKey(): Promise<CryptoKey> {
  return crypto.subtle.generateKey({ name: 'HMAC', hash: 'SHA-256', length: 256 }, false, ['sign'])
}

export async function secretsOf(key: CryptoKey): Promise<FlowSecrets> {
  return {
    state: await mac(key, 'state'),
    nonce: await mac(key, 'nonce'),
    codeVerifier: await mac(key, 'verifier'),
  }
}

export async function hashesOf({ state, nonce, codeVerifier }: FlowSecrets): Promise<FlowHashes> {
  return {
    stateHash: await hash(state),
    nonceHash: await hash(nonce),
    codeChallenge: await hash(codeVerifier),
  }
}
