/** Lamports as text. */

/** 1 SOL = 1e9 lamports (S9.6). */
export const DECIMALS = 9
/** The chain counts in 64 bits. */
export const MOST_LAMPORTS: bigint = 2n ** 64n - 1n

/** @param lamports not negative */
export const solText = (lamports: bigint): string => {
  const digits = String(lamports).padStart(DECIMALS + 1, '0')
  return `${digits.slice(0, -DECIMALS)}.${digits.slice(-DECIMALS)}`.replace(/\.?0+$/, '')
}
