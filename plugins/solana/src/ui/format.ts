/** Texts of amounts. */
import { formatSol } from '../amount.js'

/** `1234.5` → `1,234.5`. Without `Intl`, whose data takes a phone half a second to load. */
export function groupDecimal(decimal: string): string {
  const [whole = '0', fraction] = decimal.split('.')
  const left = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return fraction ? `${left}.${fraction}` : left
}

/** `1,234.5 SOL` */
export function solText(lamports: bigint): string {
  return `${groupDecimal(formatSol(lamports))} SOL`
}

/** `850 ms`, `1.4 s` */
export function formatDuration(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`
}

/** Adds the direction to an amount: `+1 SOL`, `−1 SOL`. */
export function signed(amount: bigint, write: (size: bigint) => string): string {
  return amount < 0n ? `−${write(-amount)}` : `+${write(amount)}`
}
