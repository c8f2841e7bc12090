/** Reads only enough of Solana's wire format to insert a signature (https://solana.com/docs/core/transactions). */
import type { SigningKey } from './keys.js'

const SIGNATURE_BYTES = 64
const KEY_BYTES = 32

/** Reads a compact-u16: seven bits per byte, lowest first. */
function readLength(bytes: Uint8Array, at: number): { readonly value: number; readonly next: number } {
  let value = 0
  for (let i = 0; i < 3; i++) {
    const byte = bytes[at + i]
    if (byte === undefined) break
    value |= (byte & 0x7f) << (7 * i)
    if (byte < 0x80) return { value, next: at + i + 1 }
  }
  throw new RangeError('Not a transaction')
}

/**
 * Returns a copy with this key's signature; the other signatures stay unchanged.
 *
 * @throws RangeError if the bytes are not a transaction, or the transaction does not need this key's signature
 */
export async function signTransaction(transaction: Uint8Array, key: SigningKey): Promise<Uint8Array> {
  const { value: signatures, next: first } = readLength(transaction, 0)
  const message = transaction.subarray(first + signatures * SIGNATURE_BYTES)
  const versioned = (message[0] ?? 0) >= 0x80 ? 1 : 0 // A version byte has its top bit set; a legacy header never does.
  const { next: keys } = readLength(message, versioned + 3)
  const place = Array.from({ length: signatures }).findIndex((_, i) => {
    const candidate = message.subarray(keys + i * KEY_BYTES, keys + (i + 1) * KEY_BYTES)
    return candidate.length === KEY_BYTES && candidate.every((byte, at) => byte === key.publicKey[at])
  })
  if (place < 0) throw new RangeError(`This transaction does not ask ${key.address} to sign`)
  const signed = Uint8Array.from(transaction)
  signed.set(await key.sign(message), first + place * SIGNATURE_BYTES)
  return signed
}
