import bs58 from 'bs58'

const ADDRESS_BYTES = 32

/** Returns the bytes of a Solana address, or undefined for any other value. */
export function decodeAddress(address: unknown): Uint8Array | undefined {
  const bytes = typeof address === 'string' ? bs58.decodeUnsafe(address) : undefined
  return bytes?.length === ADDRESS_BYTES ? bytes : undefined
}
