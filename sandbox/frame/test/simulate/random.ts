/** Seeded random numbers (mulberry32): the same seed gives the same schedule. */
export interface Random {
  /** Returns an integer from 0 to `below` - 1. */
  int(below: number): number
  pick<T>(list: readonly T[]): T
  /** Returns true with this probability, 0 to 1. */
  chance(probability: number): boolean
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const int = (below: number) => Math.floor(next() * below)
  return {
    int,
    pick(list) {
      const picked = list[int(list.length)]
      if (picked === undefined) throw new RangeError('nothing to pick')
      return picked
    },
    chance: probability => next() < probability,
  }
}
