/**
 * HPKE (RFC 9180), base mode, one message per key pair: DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, AES-128-GCM. For
 * messages to one party that another party forwards. It does not authenticate the sender: the ceremony's checks, its
 * transcript and the parties' signatures do.
 */
import { gcm } from '@noble/ciphers/aes.js'
import { x25519 } from '@noble/curves/ed25519.js'
import { concatBytes, randomBytes } from '@noble/curves/utils.js'
import { expand, extract } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { createCopy, digest, erase } from './bytes.js'
import { orFault, sealUnreadable } from './errors.js'
import type { Party } from './parties.js'
import { planHash } from './set.js'
import type { RandomBytes, SetPlan } from './types.js'

/** X25519. The owner erases the secret when the ceremony ends. */
export interface SealingKeyPair {
  readonly secretKey: Uint8Array
  readonly publicKey: Uint8Array
}

/** X25519 (RFC 7748). `getSharedSecret` throws for a public key of small order. */
export interface KeyExchange {
  readonly getPublicKey: (secretKey: Uint8Array) => Uint8Array
  readonly getSharedSecret: (secretKey: Uint8Array, publicKey: Uint8Array) => Uint8Array
}

let exchange: KeyExchange = x25519

/** Replaces `@noble/curves`' X25519 in this process. */
export function setKeyExchange(other: KeyExchange): void {
  exchange = other
}

const ENC = 32
const KEM = concatBytes(utf8ToBytes('KEM'), Uint8Array.of(0, 0x20))
const SUITE = concatBytes(utf8ToBytes('HPKE'), Uint8Array.of(0, 0x20, 0, 1, 0, 1))
const NONE = new Uint8Array()

function labeledExtract(suite: Uint8Array, salt: Uint8Array, label: string, input: Uint8Array): Uint8Array {
  return extract(sha256, concatBytes(utf8ToBytes('HPKE-v1'), suite, utf8ToBytes(label), input), salt)
}

function labeledExpand(
  suite: Uint8Array,
  key: Uint8Array,
  label: string,
  info: Uint8Array,
  length: number,
): Uint8Array {
  return expand(
    sha256,
    key,
    concatBytes(Uint8Array.of(0, length), utf8ToBytes('HPKE-v1'), suite, utf8ToBytes(label), info),
    length,
  )
}

/** Runs one message through the cipher of this Diffie-Hellman secret, which it erases. */
function withCipher(
  shared: Uint8Array,
  [enc, publicKey, info, associated]: readonly [Uint8Array, Uint8Array, Uint8Array, Uint8Array],
  use: (cipher: ReturnType<typeof gcm>) => Uint8Array,
): Uint8Array {
  const prk = labeledExtract(KEM, NONE, 'eae_prk', shared)
  const kem = labeledExpand(KEM, prk, 'shared_secret', concatBytes(enc, publicKey), 32)
  const pskId = labeledExtract(SUITE, NONE, 'psk_id_hash', NONE)
  const context = concatBytes(Uint8Array.of(0), pskId, labeledExtract(SUITE, NONE, 'info_hash', info))
  const secret = labeledExtract(SUITE, kem, 'secret', NONE)
  const key = labeledExpand(SUITE, secret, 'key', context, 16)
  try {
    return use(gcm(key, labeledExpand(SUITE, secret, 'base_nonce', context, 12), associated))
  } finally {
    erase(shared, prk, kem, secret, key)
  }
}

/** Creates a one-time key pair to receive private messages. */
export function sealingKeyPair(random: RandomBytes = randomBytes): SealingKeyPair {
  const secretKey = random(32)
  return { secretKey, publicKey: exchange.getPublicKey(secretKey) }
}

/** The context that a private message of a ceremony is bound to. An export binds it to its request instead. */
export function sealContext(plan: SetPlan, from: Party, to: Party): Uint8Array {
  return digest(`seal ${from} ${to}`, planHash(plan))
}

/**
 * Returns encapsulated key ‖ ciphertext: 48 bytes more than the message.
 * @param context the same on both sides; so is `associated`, which may travel in the open beside the message.
 * @throws `mpc_seal_unreadable` for a public key of small order.
 */
export function sealPrivate(
  publicKey: Uint8Array,
  context: Uint8Array,
  message: Uint8Array,
  associated: Uint8Array = NONE,
  random: RandomBytes = randomBytes,
): Uint8Array {
  return orFault(
    () => {
      const once = sealingKeyPair(random)
      const shared = exchange.getSharedSecret(once.secretKey, publicKey)
      erase(once.secretKey)
      const bound = [once.publicKey, publicKey, context, associated] as const
      return concatBytes(
        once.publicKey,
        withCipher(shared, bound, cipher => cipher.encrypt(message)),
      )
    },
    sealUnreadable,
    'seal',
  )
}

/** @throws `mpc_seal_unreadable` for another key, another context, or changed bytes. */
export function openPrivate(
  { secretKey, publicKey }: SealingKeyPair,
  context: Uint8Array,
  sealed: Uint8Array,
  associated: Uint8Array = NONE,
): Uint8Array {
  return orFault(
    () => {
      const enc = createCopy(sealed, 0, ENC)
      const bound = [enc, publicKey, context, associated] as const
      const message = sealed.subarray(ENC)
      return withCipher(exchange.getSharedSecret(secretKey, enc), bound, cipher => cipher.decrypt(message))
    },
    sealUnreadable,
    'seal',
  )
}

export interface ReleaseFacts {
  /** The party that releases its share. */
  readonly party: Party
  readonly requestId: string
  readonly environmentId: string
  readonly userId: string
  readonly walletId: string
  readonly setId: string
  readonly epoch: number
  readonly address: string
  /** The origin of the page that embeds the frame. */
  readonly hostOrigin: string
  /** base64url SHA-256 of the MFA token; empty if none was demanded. */
  readonly factor: string
  /** base64url SHA-256 of what this release signs. Absent for an export, which cannot open a share released to sign. */
  readonly signs?: string | undefined
}

/**
 * Returns the HPKE `info` of a share release: 32 bytes. @example sealPrivate(sealingKey, releaseContext(facts),
 * shareBytes)
 */
export function releaseContext(facts: ReleaseFacts): Uint8Array {
  const { party, requestId, environmentId, userId, walletId, setId, epoch, address, hostOrigin, factor, signs } = facts
  const parts = [party, requestId, environmentId, userId, walletId, setId, String(epoch), address, hostOrigin, factor]
  return signs === undefined
    ? digest('release', ...parts.map(utf8ToBytes))
    : digest('release to sign', ...[...parts, signs].map(utf8ToBytes))
}
