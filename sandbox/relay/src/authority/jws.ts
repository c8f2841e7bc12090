/** Compact JWS with ES256 only (RFC 7515, 7518), by node:crypto: jose's import and promises cost too much here. */
import { type KeyObject, sign, verify } from 'node:crypto'

const MAX = 8_192
const PART = /^[\w-]+$/

export interface Jws {
  readonly header: Readonly<Record<string, unknown>>
  readonly claims: unknown
  readonly signed: string
  readonly signature: Buffer
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function readRecord(text: string): Record<string, unknown> | undefined {
  const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
  return isRecord(value) ? value : undefined
}

/** Reads a JWS without verifying it; returns undefined for anything but an ES256 JWS of this type. */
export function readJws(token: string | undefined, typ: string): Jws | undefined {
  if (token === undefined || token.length > MAX) return undefined
  const parts = token.split('.')
  const [head = '', body = '', tail = ''] = parts
  if (parts.length !== 3 || !parts.every(part => PART.test(part)) || tail.length !== 86) return undefined
  try {
    const header = readRecord(head)
    // `crit` lists extensions that must be understood; this reader supports none.
    if (header?.alg !== 'ES256' || header.typ !== typ || 'crit' in header) return undefined
    const claims = readRecord(body)
    return claims && { header, claims, signed: `${head}.${body}`, signature: Buffer.from(tail, 'base64url') }
  } catch {
    return undefined
  }
}

export function isSignedBy({ signed, signature }: Jws, key: KeyObject): boolean {
  return verify('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }, signature)
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

export function signJws(
  header: { readonly typ: string; readonly kid?: string },
  claims: object,
  key: KeyObject,
): string {
  const signed = `${encode({ alg: 'ES256', ...header })}.${encode(claims)}`
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' })
  return `${signed}.${signature.toString('base64url')}`
}
