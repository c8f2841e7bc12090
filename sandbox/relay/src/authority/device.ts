/** Verifies the device key's signature over a request: recent, for this relay, for these bytes, used once. */
import * as v from 'valibot'
import { getKey, getThumbprint, type PublicJwk, sha256 } from '../crypto/jwk.js'
import { RelayError } from '../http/errors.js'
import type { Call } from '../http/route.js'
import { isSignedBy, readJws } from './jws.js'

/** Maximum clock difference of a signature, in ms. */
const TOLERANCE = 60_000
export const NONCE_LIFETIME = 2 * TOLERANCE + 1_000

const claimsSchema = v.strictObject({
  aud: v.pipe(v.array(v.picklist(['R1', 'R2'])), v.minLength(1), v.maxLength(2)),
  env: v.string(),
  sub: v.string(),
  op: v.string(),
  wallet: v.string(),
  set: v.string(),
  epoch: v.pipe(v.number(), v.integer(), v.minValue(0)),
  signers: v.array(v.string()),
  hash: v.string(),
  bh: v.string(),
  iat: v.number(),
  jti: v.pipe(v.string(), v.minLength(16), v.maxLength(128)),
  consent: v.optional(v.boolean()),
})

export interface DeviceRequest {
  readonly userId: string
  readonly op: string
  readonly hash: string
  readonly walletId: string
  readonly setId: string
  /** Signing parties, sorted; empty for other requests. */
  readonly signers?: readonly string[]
}
export interface DeviceFacts {
  readonly thumbprint: string
  /** ID of the signature, which can be used once. */
  readonly nonce: string
  /** Epoch of the frame's share. */
  readonly epoch: number
  /** True when the user saw the request decoded in the visible frame and agreed. */
  readonly consent: boolean
  /** Hash of the signature's text, which binds a nonce to the request. */
  readonly request: string
}

function refusal({ services }: Pick<Call, 'services'>, reason: string): RelayError {
  return new RelayError('invalid_device_signature', { reason, now: services.clock.now() })
}

export type DeviceSignature = ReturnType<typeof parseDevice>

/** Reads the signature of a request once, without verifying it. @throws RelayError `invalid_device_signature` */
function readDevice(call: Call): DeviceSignature {
  call.checked.device ??= parseDevice(call)
  return call.checked.device
}

function parseDevice(call: Call) {
  const text = call.header('x-keybay-device')
  if (text === undefined) throw refusal(call, 'missing')
  const jws = readJws(text, 'keybay-device+jwt')
  const parsed = v.safeParse(claimsSchema, jws?.claims, { abortEarly: true })
  if (!jws || !parsed.success) throw refusal(call, 'form')
  const { bh, ...claims } = parsed.output
  return { text, jws, claims, isOfBody: bh === sha256(call.rawBody) }
}

/**
 * Refuses bytes other than those that the unverified signature names, before they are parsed.
 *
 * @throws RelayError `invalid_device_signature`
 */
export function refuseOtherBytes(call: Call): void {
  if (!readDevice(call).isOfBody) throw refusal(call, 'body')
}

/**
 * Verifies the signature without using up its nonce, which the allowed write does.
 *
 * @throws RelayError `invalid_device_signature`
 */
export function verifyDevice(call: Call, deviceKey: PublicJwk, expected: DeviceRequest): DeviceFacts {
  const { services, environment } = call
  const now = services.clock.now()
  const refuse = (reason: string): RelayError => refusal(call, reason)
  const { text, jws, claims, isOfBody } = readDevice(call)
  const key = getKey(deviceKey)
  if (!key || !isSignedBy(jws, key)) throw refuse('signature')
  const { aud, env, sub, op, wallet, set, epoch, signers, hash, iat, jti, consent = false } = claims
  if (!aud.includes(services.party) || env !== environment.id || sub !== expected.userId) throw refuse('audience')
  if (Math.abs(iat * 1000 - now) > TOLERANCE) throw refuse('time')
  if (op !== expected.op || hash !== expected.hash || wallet !== expected.walletId || set !== expected.setId)
    throw refuse('operation')
  if (signers.join() !== (expected.signers ?? []).join()) throw refuse('signers')
  if (!isOfBody) throw refuse('body')
  const thumbprint = getThumbprint(deviceKey)
  return { thumbprint, nonce: sha256(`${thumbprint}.${jti}`), epoch, consent, request: sha256(text) }
}

/** Returns true if this key made the device signature, whose claims {@link verifyDevice} checks. */
export function isSignedWith({ header }: Call, deviceKey: PublicJwk): boolean {
  const jws = readJws(header('x-keybay-device'), 'keybay-device+jwt')
  const key = getKey(deviceKey)
  return jws !== undefined && key !== undefined && isSignedBy(jws, key)
}

/**
 * Returns the set named by the unverified signature, which the caller then verifies.
 *
 * @throws RelayError `invalid_device_signature`
 */
export function namedSet(call: Call): string {
  return readDevice(call).claims.set
}

/** Returns the error for a signature that was used before. */
export function replayed(call: Call): RelayError {
  return refusal(call, 'replay')
}
