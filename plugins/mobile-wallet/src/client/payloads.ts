/** Reads and writes the protocol's base64 and Solana's transactions. */
import { equalBytes, fromBase64, toBase64 } from '@keybay/kernel/spec'
import { type Transaction, VersionedTransaction } from '@solana/web3.js'
import nacl from 'tweetnacl'
import { mobileWalletAnswerInvalid, mobileWalletRequestInvalid } from '../errors.js'
import { createError } from './to-error.js'

export const KEY_BYTES = 32
const SIGNATURE_BYTES: number = nacl.sign.signatureLength

export { toBase64 }

/** Returns undefined for anything but base64. Wallets may also respond in the URL-safe form. */
export function readBase64(text: unknown): Uint8Array | undefined {
  try {
    if (typeof text !== 'string') return undefined
    return fromBase64(
      text
        .replaceAll('-', '+')
        .replaceAll('_', '/')
        .replace(/[=.]+$/, ''),
    )
  } catch {
    return undefined
  }
}
/** @throws KeybayError `mobile_wallet_answer_invalid` */
export function checkSignature(signature: Uint8Array | undefined): Uint8Array {
  if (signature?.length !== SIGNATURE_BYTES) throw createError(mobileWalletAnswerInvalid)
  return signature
}
/** @throws KeybayError `mobile_wallet_answer_invalid` if the account did not sign this message */
export function verifySignature(
  signature: Uint8Array | undefined,
  message: Uint8Array,
  publicKey: Uint8Array,
): Uint8Array {
  const checked = checkSignature(signature)
  if (!nacl.sign.detached.verify(message, checked, publicKey)) throw createError(mobileWalletAnswerInvalid)
  return checked
}

export function readMessageSignature(payload: unknown): Uint8Array | undefined {
  return readBase64(payload)?.slice(-SIGNATURE_BYTES)
}
/** @throws KeybayError `mobile_wallet_request_invalid` */
export function readTransaction(bytes: Uint8Array): VersionedTransaction {
  try {
    return VersionedTransaction.deserialize(bytes)
  } catch (cause) {
    throw createError(mobileWalletRequestInvalid, { cause })
  }
}

/**
 * Writes a signed transaction. A wallet may add instructions that protect the user, so only the signature is checked.
 * @throws KeybayError `mobile_wallet_answer_invalid` if the account did not sign it
 */
export function writeTransaction(transaction: Transaction | VersionedTransaction, publicKey: Uint8Array): Uint8Array {
  const bytes =
    'version' in transaction
      ? transaction.serialize()
      : new Uint8Array(transaction.serialize({ requireAllSignatures: false, verifySignatures: false }))
  const { message, signatures } = VersionedTransaction.deserialize(bytes)
  const index = message.staticAccountKeys.findIndex(key => equalBytes(key.toBytes(), publicKey))
  verifySignature(signatures[index], message.serialize(), publicKey)
  return bytes
}
/** Checks a list of responses, one for each request. @throws KeybayError `mobile_wallet_answer_invalid` */
export function checkList<T>(list: readonly T[], length: number): readonly T[] {
  if (!Array.isArray(list) || list.length !== length) throw createError(mobileWalletAnswerInvalid)
  return list
}
