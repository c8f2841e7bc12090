/** Requests of a frame: token, session signature and device signature over exactly the bytes sent. */
import { createHash, type KeyObject, randomUUID, sign as signBytes } from 'node:crypto'
import * as v from 'valibot'
import { policySchema } from '../../src/policy/policy.js'
import { APP, type User } from '../world.js'

export function b64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url')
}

export function unb64(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'base64url'))
}

export function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('base64url')
}

export function operationHash(op: string, ...facts: readonly (string | boolean)[]): string {
  return sha256(JSON.stringify([op, ...facts]))
}

/** Returns the policy's JSON in the relays' order of fields. */
export function policyJson(policy: object | null): string {
  return JSON.stringify(policy && v.parse(policySchema, policy))
}

/** Returns the hash that a session signs to set a policy: of the set and the whole policy. */
export function policyHash(setId: string, policy: object | null): string {
  return operationHash('setPolicy', setId, policyJson(policy))
}

export function text(value: string): Uint8Array {
  return new TextEncoder().encode(value)
}

function part(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

export function jws(key: KeyObject, typ: string, claims: object, header: object = {}): string {
  const signed = `${part({ alg: 'ES256', typ, ...header })}.${part(claims)}`
  const signature = signBytes('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' })
  return `${signed}.${signature.toString('base64url')}`
}

export function toJwk(key: KeyObject) {
  const { x, y } = key.export({ format: 'jwk' })
  if (x === undefined || y === undefined) throw new Error('No key on P-256')
  return { kty: 'EC' as const, crv: 'P-256' as const, x, y }
}

export function thumbprint(key: KeyObject): string {
  const { kty, crv, x, y } = toJwk(key)
  return sha256(JSON.stringify({ crv, kty, x, y }))
}

export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests read JSON of every route, and expect says what it must be
  readonly body: any
}
export interface Asked {
  readonly op: string
  readonly hash: string
  readonly address?: string
  readonly device?: KeyObject
  readonly walletId?: string
  readonly setId?: string
  readonly epoch?: number
  readonly signers?: readonly string[]
  readonly consent?: boolean
  readonly mfaToken?: string
  /** Changed claims; `false`: no signature. */
  readonly session?: object | false
  readonly claims?: object | false
  readonly headers?: Readonly<Record<string, string>>
  /** Body to send instead of the signed one. */
  readonly rawBody?: string
}
/** Target of requests: one address, or several addresses in turn. */
export interface Target {
  next(): { readonly internalUrl: string; readonly clock: { now(): number } }
}

export function only(relay: ReturnType<Target['next']>): Target {
  return { next: () => relay }
}

export function getHeaders(user: User, now: number, rawBody: string, operation: Asked): Record<string, string> {
  const iat = Math.floor(now / 1000)
  const { op, hash, address, device, walletId, setId, epoch = 0, signers = [], consent } = operation
  const session = {
    sid: user.sessionId,
    op,
    ...(address !== undefined && { wallet: address }),
    hash,
    origin: APP,
    iat,
    jti: randomUUID(),
    ...operation.session,
  }
  const claims = {
    aud: ['R1', 'R2'],
    env: 'local',
    sub: user.userId,
    op,
    wallet: walletId,
    set: setId,
    epoch,
    signers,
    hash,
    bh: sha256(rawBody),
    iat,
    jti: randomUUID(),
    ...(consent !== undefined && { consent }),
    ...operation.claims,
  }
  return {
    'content-type': 'application/json',
    authorization: `Bearer ${user.kit.token}`,
    ...(operation.session !== false && { 'x-keybay-session': jws(user.key, 'keybay-session+jwt', session) }),
    ...(device && operation.claims !== false && { 'x-keybay-device': jws(device, 'keybay-device+jwt', claims) }),
    ...(operation.mfaToken !== undefined && { 'x-keybay-mfa-token': operation.mfaToken }),
    ...operation.headers,
  }
}

export async function send(url: string, headers: Record<string, string>, body: string): Promise<Answer> {
  const response = await fetch(url, { method: 'POST', headers, body })
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}

export async function ask(target: Target, user: User, path: string, body: object, operation: Asked): Promise<Answer> {
  const relay = target.next()
  const signed = JSON.stringify(body)
  const headers = getHeaders(user, relay.clock.now(), signed, operation)
  return send(`${relay.internalUrl}/sdk/local${path}`, headers, operation.rawBody ?? signed)
}

export function ok({ status, body }: Answer): Answer['body'] {
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body
}

/** Authority of a request that reads wallets. */
export const READ: Asked = { op: 'getWallets', hash: operationHash('getWallets') }

// biome-ignore lint/suspicious/noExplicitAny: tests read JSON of every route, and expect says what it must be
export async function list(target: Target, user: User): Promise<any[]> {
  return ok(await ask(target, user, '/wallets/list', {}, READ)).wallets
}

/** Returns the shape of a refusal, for `toMatchObject`. */
export function refusal(status: number, code: string, details?: object) {
  return { status, body: { code, ...(details && { details }) } }
}
