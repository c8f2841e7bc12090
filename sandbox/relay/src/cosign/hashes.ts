/** Hashes of FROST(Ed25519, SHA-512), RFC 9591 §6.1, by node:crypto: four times as fast as in JavaScript. */
import { createHmac, hash } from 'node:crypto'
import { identifier, type NoncePair, type Party, type SignCommitment } from '@keybay/waas/mpc'
import sodium from 'libsodium-wrappers-sumo'

function prefix(name: string): Uint8Array {
  return Buffer.from(`FROST-ED25519-SHA512-v1${name}`)
}
const [RHO, NONCE, MSG, COM] = [prefix('rho'), prefix('nonce'), prefix('msg'), prefix('com')]

const NO_SALT = new Uint8Array(64)
const FIRST_BLOCK = Uint8Array.of(1)
const CONTEXT = Buffer.from('keybay/mpc/1/nonce')

function getLength(part: Uint8Array): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(part.length)
  return length
}

/** Hashes in one call, at two thirds of the cost of update and digest. Erases the joined input, which may be secret. */
function digest(algorithm: 'sha256' | 'sha512', parts: readonly Uint8Array[]): Buffer {
  const joined = Buffer.concat(parts)
  const result = hash(algorithm, joined, 'buffer')
  joined.fill(0)
  return result
}

/** Hashes to a reduced scalar. */
function hashToScalar(...parts: readonly Uint8Array[]): Uint8Array {
  return sodium.crypto_core_ed25519_scalar_reduce(digest('sha512', parts))
}

const identifiers = new Map<Party, Uint8Array>()

function getIdentifier(party: Party): Uint8Array {
  const known = identifiers.get(party) ?? identifier(party)
  identifiers.set(party, known)
  return known
}

function encoded(commitments: readonly SignCommitment[]): Uint8Array[] {
  return commitments.flatMap(commitment => [getIdentifier(commitment.party), commitment.hiding, commitment.binding])
}

/** Computes mpc's `nonceRandomness`; test vectors check that both return the same bytes. */
export function nonceRandomness(
  fresh: Uint8Array,
  request: Uint8Array,
  message: Uint8Array,
  received: readonly SignCommitment[],
): NoncePair {
  const lists = received.map(commitment => Buffer.concat(encoded([commitment])))
  const framed = [CONTEXT, request, message, ...lists].flatMap(part => [getLength(part), part])
  // HKDF (RFC 5869) without salt, one block: `hkdfSync` costs ten times its two HMACs.
  const key = createHmac('sha512', NO_SALT).update(fresh).digest()
  const bytes = createHmac('sha512', key).update(digest('sha256', framed)).update(FIRST_BLOCK).digest()
  key.fill(0)
  return { hiding: bytes.subarray(0, 32), binding: bytes.subarray(32, 64) }
}

/** Runs nonce_generate of RFC 9591 for both nonces and erases the randomness. */
export function noncesFrom({ hiding, binding }: NoncePair, secret: Uint8Array): NoncePair {
  const nonces = { hiding: hashToScalar(NONCE, hiding, secret), binding: hashToScalar(NONCE, binding, secret) }
  hiding.fill(0)
  binding.fill(0)
  return nonces
}

/** Returns one factor per commitment; commitments are ordered by identifier. */
export function bindingFactors(
  key: Uint8Array,
  commitments: readonly SignCommitment[],
  message: Uint8Array,
): readonly Uint8Array[] {
  const start = Buffer.concat([key, digest('sha512', [MSG, message]), digest('sha512', [COM, ...encoded(commitments)])])
  return commitments.map(({ party }) => hashToScalar(RHO, start, getIdentifier(party)))
}

export function challenge(groupCommitment: Uint8Array, key: Uint8Array, message: Uint8Array): Uint8Array {
  return hashToScalar(groupCommitment, key, message)
}
