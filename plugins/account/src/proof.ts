/** The signatures of the session's key: a DPoP proof (RFC 9449) per request, and one operation for other services. Both are compact JWS, ES256. */
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
  /** Whole, without a query. */
  readonly url: string
  /** As it is sent. */
  readonly body: string | undefined
  /** The service's time, ms since epoch. */
  readonly now: number
}
/** A proof is valid once: create a new one for every attempt. */
export async function signProof(key: ProofKey, { method, url, body, now }: ProvedRequest): Promise<string> {
  return signJws(
    key,
    { typ: 'dpop+jwt', jwk: key.jwk },
    {
      jti: crypto.randomUUID(),
      htm: method,
      htu: url,
      iat: Math.floor(now / 1000),
      ...(body !== undefined && { bh: toBase64Url(await sha256(utf8(body))) }),
    },
  )
}
