/**
 * For wallets that sign no messages (S6.4): a transaction that no chain can take, because its blockhash is a hash of ours.
 * One signer, who pays; one memo, the SIWS text. The API compares it byte for byte.
 */
import { sha256, utf8 } from '@keybay/kernel/spec'

const SIGNATURE = 64
// MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr
const MEMO_PROGRAM = [
  5, 74, 83, 90, 153, 41, 33, 6, 77, 36, 232, 113, 96, 218, 56, 124, 124, 53, 181, 221, 188, 146, 187, 129, 228, 31,
  168, 64, 65, 5, 68, 141,
]
/** Solana's compact-u16: seven bits a byte, the lowest first. */
function compact(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...compact(value >> 7)]
}

/** What the wallet signs. */
export async function neverSentMessage(
  user: Uint8Array,
  text: Uint8Array,
  domain: string,
  nonce: string,
): Promise<Uint8Array<ArrayBuffer>> {
  return Uint8Array.from([
    // One signer that writes, no signer that only reads, one account that is only read: the program. Two accounts.
    ...[1, 0, 1, 2],
    ...user,
    ...MEMO_PROGRAM,
    ...(await sha256(utf8(domain + nonce))),
    // One instruction: program 1, no accounts, the text.
    ...[1, 1, 0, ...compact(text.length)],
    ...text,
  ])
}

/** As a wallet takes it: with room for the one signature. */
export function unsigned(message: Uint8Array): Uint8Array<ArrayBuffer> {
  return Uint8Array.from([1, ...new Uint8Array(SIGNATURE), ...message])
}

/** The message of a signed transaction of one signer; undefined when it is none. */
export function signedMessageOf(transaction: Uint8Array): Uint8Array | undefined {
  const signature = transaction.subarray(1, 1 + SIGNATURE)
  return transaction[0] === 1 && signature.some(byte => byte !== 0) ? transaction.subarray(1 + SIGNATURE) : undefined
}
