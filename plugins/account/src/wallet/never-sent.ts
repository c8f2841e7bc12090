/**
 * Transaction for wallets that can't sign messages (S6.4). Its blockhash is a hash of ours, so no chain accepts it.
 * It has one signer, who pays, and one memo with the SIWS text. The API compares it byte for byte.
 */
import { sha256, utf8 } from '@keybay/kernel/spec'

const SIGNATURE = 64
// MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr
const MEMO_PROGRAM = [
  5, 74, 83, 90, 153, 41, 33, 6, 77, 36, 232, 113, 96, 218, 56, 124, 124, 53, 181, 221, 188, 146, 187, 129, 228, 31,
  168, 64, 65, 5, 68, 141,
]
/** Encodes Solana's compact-u16: seven bits per byte, lowest first. */
function compact(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...compact(value >> 7)]
}

/** Returns the message for the wallet to sign. */
export async function neverSentMessage(
  user: Uint8Array,
  text: Uint8Array,
  domain: string,
  nonce: string,
): Promise<Uint8Array<ArrayBuffer>> {
  return Uint8Array.from([
    // Header: one writable signer, no read-only signer, one read-only account (the program). Then two accounts.
    ...[1, 0, 1, 2],
    ...user,
    ...MEMO_PROGRAM,
    ...(await sha256(utf8(domain + nonce))),
    // One instruction: program 1, no accounts, the text.
    ...[1, 1, 0, ...compact(text.length)],
    ...text,
  ])
}

/** Returns the form that wallets accept: with space for the one signature. */
export function unsigned(message: Uint8Array): Uint8Array<ArrayBuffer> {
  return Uint8Array.from([1, ...new Uint8Array(SIGNATURE), ...message])
}

/** Returns the message of a signed transaction with one signer; undefined for any other bytes. */
export function getSignedMessage(transaction: Uint8Array): Uint8Array | undefined {
  const signature = transaction.subarray(1, 1 + SIGNATURE)
  return transaction[0] === 1 && signature.some(byte => byte !== 0) ? transaction.subarray(1 + SIGNATURE) : undefined
}
