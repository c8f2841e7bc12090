/**
 * State, nonce and PKCE verifier of one flow. All three are derived from one key that no script can read, so a redirect stores
 * that key and no secret in the clear. The provider gets only their hashes, so a URL alone is useless to a thief.
 */
import { sha256, toBase64Url, utf8 } from '@keybay/kernel/spec'

export interface FlowSecrets {
  /** The provider returns its hash, which ties the response to this flow (RFC 6749, 10.12). */
  readonly state: string
  /** The ID token contains its hash (OpenID Connect Core, 3.1.2.1). */
  readonly nonce: string
  /** Makes a stolen code useless (RFC 7636). */
  readonly codeVerifier: string
}
export interface FlowHashes {
  readonly stateHash: string
  readonly nonceHash: string
  /** `S256` of RFC 7636, 4.2. */
  readonly codeChallenge: string
}

export function createKey(): Promise<CryptoKey> {
  return crypto.subtle.generateKey({ name: 'HMAC', hash: 'SHA-256', length: 256 }, false, ['sign'])
}

async function derive(key: CryptoKey, label: string): Promise<string> {
  return toBase64Url(new Uint8Array(await crypto.subtle.sign('HMAC', key, utf8(label))))
}

async function hash(text: string): Promise<string> {
  return toBase64Url(await sha256(utf8(text)))
}

export async function deriveSecrets(key: CryptoKey): Promise<FlowSecrets> {
  return {
    state: await derive(key, 'state'),
    nonce: await derive(key, 'nonce'),
    codeVerifier: await derive(key, 'verifier'),
  }
}

export async function hashSecrets({ state, nonce, codeVerifier }: FlowSecrets): Promise<FlowHashes> {
  return { stateHash: await hash(state), nonceHash: await hash(nonce), codeChallenge: await hash(codeVerifier) }
}
