/**
 * Two equal transfers with one blockhash are the same bytes, and so one transaction: the chain would run one and both
 * senders would be told of success. This counts how often bytes were built while their blockhash may live.
 */

import type { Clock } from '@keybay/kernel'
import { toBase64 } from '@keybay/kernel/spec'
import type { CountSame } from './build.js'

/** Longer than the 150 blocks that a blockhash lives, ms. */
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
