/**
 * Two equal transfers with one blockhash have identical bytes: the chain would execute one and report success to both senders.
 * Counts how often bytes were built while their blockhash may be valid.
 */
import type { Clock } from '@keybay/kernel'
import { toBase64 } from '@keybay/kernel/spec'
import type { CountSame } from './build.js'

/** Exceeds the 150 blocks for which a blockhash is valid, in ms. */
const LIFE_MS = 180_000

export function createSameness(clock: Clock): CountSame {
  const counts = new Map<string, number>()
  return (bytes, preview) => {
    const key = toBase64(bytes)
    const before = counts.get(key) ?? 0
    if (preview) return before
    counts.set(key, before + 1)
    if (!before) clock.after(LIFE_MS, () => counts.delete(key))
    return before
  }
}
