/**
 * Signatures by the session key: a DPoP proof (RFC 9449) per request, and one operation for other services. Both are
 * compact JWS, ES256.
 */
import { sha256, toBase64Url, utf8 } from '@keybay/kernel/spec'
import type { ProofKey } from './session-key.js'

function part(value: object): string {
  return toBase64Url(utf8(JSON.stringify(value)))
}

export async function signJws({ privateKey }: ProofKey, header: object, claims: object): Promise<string> {
  const text = `${part({ alg: 'ES256', ...header })}.${part(claims)}`
  const signature = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, privateKey, utf8(text))
  return `${text}.${toBase64Url(new Uint8Array(signature))}`
}

export interface ProvedRequest {
  readonly method: string
  /** Full URL, without a query. */
  readonly url: string
  /** Body exactly as sent. */
  readonly body: string | undefined
  /** Access token of the request, if any. */
  readonly token: string | undefined
  /** Server time, in ms since epoch. */
  readonly now: number
}

async function hash(text: string): Promise<string> {
  return toBase64Url(await sha256(utf8(text)))
}

/** Signs a proof that is valid once: create a new one for every attempt. */
export async function signProof(key: ProofKey, { method, url, body, token, now }: ProvedRequest): Promise<string> {
  return signJws(
    key,
    { typ: 'dpop+jwt', jwk: key.jwk },
    {
      jti: crypto.randomUUID(),
      htm: method,
      htu: url,
      iat: Math.floor(now / 1000),
      ...(token !== undefined && { ath: await hash(token) }),
      ...(body !== undefined && { bh: await hash(body) }),
    },
  )
}
