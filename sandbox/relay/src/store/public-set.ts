/** Public package of a set, whose points were checked when the set was made. */
import { anyPoint, codecs, decode, type ShareSet } from '@keybay/waas/mpc'
import { toBytes } from '../http/fields.js'
import type { SetRow } from './sets.js'

const MAX_KEPT = 20_000
const kept = new Map<string, ShareSet>()

export function getPublicSet({ publicSet }: SetRow): ShareSet {
  const known = kept.get(publicSet)
  if (known) return known
  const set = decode(codecs.shareSet, toBytes(publicSet), anyPoint)
  const [oldest] = kept.keys()
  if (kept.size >= MAX_KEPT && oldest !== undefined) kept.delete(oldest)
  kept.set(publicSet, set)
  return set
}
