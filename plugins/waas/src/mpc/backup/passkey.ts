/**
 * The key of a passkey: what its authenticator answers to one input, by WebAuthn's PRF extension
 * (https://www.w3.org/TR/webauthn-3/#prf-extension). The answer is the same each time, and no other passkey has it.
 */
import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'

/** Bytes of the input and of the answer. */
export const INPUT = 32

/** Which passkey, and what it is asked. Nothing of it is secret. */
export interface PasskeyName {
  /** Of the frame that made it: it answers at this domain alone. */
  readonly rpId: string
  /** base64url without padding */
  readonly credentialId: string
  /** `prf.eval.first`, 32 bytes. */
  readonly input: Uint8Array
}
/** With the answer. A secret. */
export interface PasskeySecret extends PasskeyName {
  /** `prf.results.first`, 32 bytes. */
  readonly output: Uint8Array
}

/** HKDF-SHA256 (RFC 5869), 32 bytes: another key for each wallet and each file. */
export function passkeyKey(output: Uint8Array, salt: Uint8Array, walletId: string): Uint8Array {
  return hkdf(sha256, output, salt, utf8ToBytes(`keybay/backup/prf/1/${walletId}`), 32)
}
