/**
 * The group of ed25519 and X25519 on libsodium (WebAssembly), many times faster than `@noble/curves`, with the same bytes
 * for the same input. libsodium's multiplication refuses the identity and the scalar zero, whose products are the identity. Its
 * wrapper frees its own memory without wiping it.
 */
import { randomBytes } from 'node:crypto'
import { addGroup, erase, type Group, getGroup, type KeyExchange, setKeyExchange } from '@keybay/waas/mpc'
import sodium from 'libsodium-wrappers-sumo'

await sodium.ready

const { Fn } = getGroup('ed25519')
const IDENTITY = Uint8Array.of(1, ...new Uint8Array(31))
/** The largest number for which doubling and adding is faster than libsodium's multiplication. */
const SMALL = 16n

function isIdentity(point: Uint8Array): boolean {
  return Buffer.compare(point, IDENTITY) === 0
}

function base(scalar: bigint): Uint8Array {
  const bytes = Fn.toBytes(scalar)
  const point = sodium.crypto_scalarmult_ed25519_base_noclamp(bytes)
  erase(bytes)
  return point
}

function multiply(point: Uint8Array, scalar: bigint): Uint8Array {
  if (scalar === 0n || isIdentity(point)) return new Uint8Array(IDENTITY)
  if (scalar > SMALL) return sodium.crypto_scalarmult_ed25519_noclamp(Fn.toBytes(scalar), point)
  const doubled = scalar > 1n ? multiply(sodium.crypto_core_ed25519_add(point, point), scalar / 2n) : IDENTITY
  return scalar % 2n === 0n ? doubled : sodium.crypto_core_ed25519_add(doubled, point)
}

function add(points: readonly Uint8Array[]): Uint8Array {
  return points.reduce((sum, point) => sodium.crypto_core_ed25519_add(sum, point), new Uint8Array(IDENTITY))
}

function randomScalar(): Uint8Array {
  return sodium.crypto_core_ed25519_scalar_random()
}

/** Signs as RFC 8032 does, for a scalar instead of a seed. The nonce depends on fresh randomness, secret and message. */
function sign(message: Uint8Array, secret: Uint8Array): Uint8Array {
  const seed = Buffer.concat([randomBytes(32), secret, message])
  const nonce = sodium.crypto_core_ed25519_scalar_reduce(sodium.crypto_hash_sha512(seed))
  const point = sodium.crypto_scalarmult_ed25519_base_noclamp(nonce)
  const key = sodium.crypto_scalarmult_ed25519_base_noclamp(secret)
  const challenge = sodium.crypto_core_ed25519_scalar_reduce(
    sodium.crypto_hash_sha512(Buffer.concat([point, key, message])),
  )
  const product = sodium.crypto_core_ed25519_scalar_mul(challenge, secret)
  const signature = Buffer.concat([point, sodium.crypto_core_ed25519_scalar_add(nonce, product)])
  erase(seed, nonce, product)
  return new Uint8Array(signature)
}

export const sodiumGroup: Group = {
  curve: 'ed25519',
  pointBytes: 32,
  Fn,
  randomScalar,
  check: point => {
    if (!sodium.crypto_core_ed25519_is_valid_point(point)) throw new Error('point')
  },
  base,
  multiply,
  add,
  evaluate: (points, x) => points.reduceRight((sum, point) => add([multiply(sum, x), point]), new Uint8Array(IDENTITY)),
  shareSecret: (secret, size) => {
    const scalars = [secret, ...Array.from({ length: size - 1 }, randomScalar)]
    const coefficients = scalars.map(scalar => Fn.fromBytes(scalar))
    return { coefficients, commitment: coefficients.map(base) }
  },
  sign,
  verify: (signature, message, key) => sodium.crypto_sign_verify_detached(signature, message, key),
}

export const sodiumExchange: KeyExchange = {
  getPublicKey: secretKey => sodium.crypto_scalarmult_base(secretKey),
  getSharedSecret: (secretKey, publicKey) => sodium.crypto_scalarmult(secretKey, publicKey),
}

/** Makes all ceremonies of this process calculate on libsodium. */
export function useSodium(): void {
  addGroup(sodiumGroup)
  setKeyExchange(sodiumExchange)
}
