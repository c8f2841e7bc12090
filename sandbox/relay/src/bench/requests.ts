/** Requests of a frame to the measured relay: token, session signature and device signature over the bytes sent. */
import { type KeyObject, randomUUID } from 'node:crypto'
import type { Party } from '@keybay/waas/mpc'
import { signJws } from '../authority/jws.js'
import { sha256 } from '../crypto/jwk.js'
import type { RelayProcess } from './relay-process.js'

/** Time to wait for one response, in ms. */
const TIMEOUT_MS = 30_000

/** Identifies a share set of a wallet, and the key of the device that holds its share. */
export interface Place {
  readonly walletId: string
  readonly setId: string
  readonly device: KeyObject
}
export interface Operation {
  readonly op: string
  /** Base64url SHA-256 of what the operation does. */
  readonly hash: string
  /** Address of an existing wallet. */
  readonly wallet?: string
  readonly epoch?: number
  readonly signers?: readonly Party[]
}
export interface Request {
  readonly url: string
  readonly init: RequestInit
}

export function operationHash(...facts: readonly (string | boolean)[]): string {
  return sha256(JSON.stringify(facts))
}

/** Returns a signed request. */
export function makeRequest(
  { base, token, sessionKey }: RelayProcess,
  { walletId, setId, device }: Place,
  path: string,
  content: object,
  { epoch = 0, signers = [], ...operation }: Operation,
): Request {
  const body = JSON.stringify(content)
  const iat = Math.floor(Date.now() / 1000)
  const { op, hash } = operation
  const session = { sid: 'session', origin: 'http://app.localhost:4000', iat, jti: randomUUID(), ...operation }
  const ids = { aud: ['R1'], env: 'local', sub: 'bench', wallet: walletId, set: setId, epoch }
  // The user agrees to the grant, and signs under it unasked.
  const consent = op === 'setPolicy'
  const claims = { ...ids, op, hash, signers, bh: sha256(body), iat, jti: randomUUID(), consent }
  const headers = {
    'content-type': 'application/json',
    authorization: `Bearer ${token}`,
    'x-keybay-session': signJws({ typ: 'keybay-session+jwt' }, session, sessionKey),
    'x-keybay-device': signJws({ typ: 'keybay-device+jwt' }, claims, device),
  }
  return { url: base + path, init: { method: 'POST', headers, body } }
}

/** @throws Error when the relay refuses or does not respond */
export async function send({ url, init }: Request): Promise<unknown> {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`The relay answered ${response.status} ${text}`)
  return JSON.parse(text)
}
