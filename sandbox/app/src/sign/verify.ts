/** Verifies in the page, without a wallet, that a signature is from the given account over the given message. */
import bs58 from 'bs58'
import nacl from 'tweetnacl'

/** @param signature base58 @param address base58 of the public key */
export function verifyMessage(message: string, signature: string, address: string) {
  const signed = bs58.decodeUnsafe(signature.trim())
  const publicKey = bs58.decodeUnsafe(address.trim())
  if (signed?.length !== 64 || publicKey?.length !== 32) return 'unreadable'
  return nacl.sign.detached.verify(new TextEncoder().encode(message), signed, publicKey) ? 'valid' : 'invalid'
}
