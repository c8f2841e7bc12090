/** Conversion between amounts and text. */

/** 1 SOL = 1e9 lamports (S9.6). */
export const DECIMALS = 9
/** Chain amounts have 64 bits. */
export const MAX_LAMPORTS: bigint = 2n ** 64n - 1n

/** @param amount smallest units, not negative */
export function decimalText(amount: bigint, decimals: number): string {
  if (!decimals) return String(amount)
  const digits = String(amount).padStart(decimals + 1, '0')
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`.replace(/\.?0+$/, '')
}
/** @param lamports not negative */
export function solText(lamports: bigint): string {
  return decimalText(lamports, DECIMALS)
}
