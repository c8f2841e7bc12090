/** The key of a passkey: its authenticator's output, by WebAuthn's PRF (https://www.w3.org/TR/webauthn-3/#prf-extension). */
import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'

/** Bytes of the input and of the output. */
export const INPUT = 32

/** The passkey and its input. Nothing of it is secret. */
export interface PasskeyName {
  /** The domain of the frame that made it; the passkey works on this domain only. */
  readonly rpId: string
  /** base64url without padding */
  readonly credentialId: string
  /** `prf.eval.first`, 32 bytes. */
  readonly input: Uint8Array
}
/** A passkey with its output. A secret. */
export interface PasskeySecret extends PasskeyName {
  /** `prf.results.first`, 32 bytes. */
  readonly output: Uint8Array
}

/** Returns HKDF-SHA256 (RFC 5869), 32 bytes: another key for each wallet and each file. */
export function passkeyKey(output: Uint8Array, salt: Uint8Array, walletId: string): Uint8Array {
  return hkdf(sha256, output, salt, utf8ToBytes(`keybay/backup/prf/1/${walletId}`), 32)
}
