/** Builds transactions and verifies signatures. */
import bs58 from 'bs58'

const SYSTEM_PROGRAM = new Uint8Array(32)
/** Builds an unsigned legacy transfer from an account to itself. https://solana.com/docs/core/transactions */
export function transfer(address: string, lamports: number): Uint8Array {
  const data = new DataView(new ArrayBuffer(12))
  data.setUint32(0, 2, true)
  data.setBigUint64(4, BigInt(lamports), true)
  return Uint8Array.from([
    ...[1, ...new Uint8Array(64)],
    ...[1, 0, 1, 2, ...bs58.decode(address), ...SYSTEM_PROGRAM],
    ...new Uint8Array(32).fill(9),
    ...[1, 1, 2, 0, 0, 12, ...new Uint8Array(data.buffer)],
  ])
}
export async function verifies(address: string, signature: Uint8Array, message: Uint8Array): Promise<boolean> {
  const key = await crypto.subtle.importKey('raw', Uint8Array.from(bs58.decode(address)), 'Ed25519', false, ['verify'])
  return crypto.subtle.verify('Ed25519', key, Uint8Array.from(signature), Uint8Array.from(message))
}
