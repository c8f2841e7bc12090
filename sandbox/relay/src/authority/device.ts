/** The device key's signature over one request: fresh, for this relay, for these bytes, once. */
import * as v from 'valibot'
import { keyOf, type PublicJwk, sha256, thumbprintOf } from '../crypto/jwk.js'
import type { Call } from '../http/call.js'
import { invalidDeviceSignature, RelayError } from '../http/errors.js'
import { isSignedBy, readJws } from './jws.js'

/** ms that a signature's time may be from ours. */
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
  /** Parties that sign, sorted; of other requests none. */
  readonly signers?: readonly string[]
}
export interface DeviceFacts {
  readonly thumbprint: string
  /** Names the signature: it is taken once. */
  readonly nonce: string
  /** That the frame has. */
  readonly epoch: number
  /** Whether the user saw it decoded in the visible frame, and agreed. */
  readonly consent: boolean
  /** Hash of the signature's text: the request that a nonce is bound to. */
  readonly request: string
}

/** Does not take the nonce: whoever writes does, together with what it allows. @throws RelayError `invalid_device_signature` */
export function verifyDevice(call: Call, deviceKey: PublicJwk, wanted: DeviceRequest): DeviceFacts {
  const { services, environment, header, rawBody } = call
  const now = services.clock.now()
  const refuse = (reason: string): RelayError => new RelayError(invalidDeviceSignature, { reason, now })
  const text = header('x-keybay-device')
  if (text === undefined) throw refuse('missing')
  const jws = readJws(text, 'keybay-device+jwt')
  const parsed = v.safeParse(claimsSchema, jws?.claims)
  if (!jws || !parsed.success) throw refuse('form')
  const key = keyOf(deviceKey)
  if (!key || !isSignedBy(jws, key)) throw refuse('signature')
  const { aud, env, sub, op, wallet, set, epoch, signers, hash, bh, iat, jti, consent = false } = parsed.output
  if (!aud.includes(services.party) || env !== environment.id || sub !== wanted.userId) throw refuse('audience')
  if (Math.abs(iat * 1000 - now) > TOLERANCE) throw refuse('time')
  if (op !== wanted.op || hash !== wanted.hash || wallet !== wanted.walletId || set !== wanted.setId)
    throw refuse('operation')
  if (signers.join() !== (wanted.signers ?? []).join()) throw refuse('signers')
  if (bh !== sha256(rawBody)) throw refuse('body')
  const thumbprint = thumbprintOf(deviceKey)
  return { thumbprint, nonce: sha256(`${thumbprint}.${jti}`), epoch, consent, request: sha256(text) }
}

/** The set whose key signed, by the signature's own word: which is then verified. @throws RelayError `invalid_device_signature` */
export function namedSet({ services, header }: Call): string {
  const parsed = v.safeParse(claimsSchema, readJws(header('x-keybay-device'), 'keybay-device+jwt')?.claims)
  if (parsed.success) return parsed.output.set
  throw new RelayError(invalidDeviceSignature, { reason: 'form', now: services.clock.now() })
}

/** The error of a signature that was seen before. */
export function replayed({ services }: Call): RelayError {
  return new RelayError(invalidDeviceSignature, { reason: 'replay', now: services.clock.now() })
}
