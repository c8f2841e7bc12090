/** Random worlds of the model by seed. */
import { seeded, shorten, type Violation, wander } from '../../../src/mpc/lifecycle/search.js'
import { createWorld, PRODUCT_RULES, type Rules, type World } from '../../../src/mpc/lifecycle/world.js'

const STEPS = 50
/** Maximum number of each step in a random world. */
const MAX_BUDGET = {
  refresh: 3,
  restore: 3,
  reshare: 2,
  delegate: 1,
  revoke: 4,
  abort: 1,
  policy: 2,
  refuse: 2,
  replay: 6,
  crash: 1,
  snapshot: 3,
  failure: 1,
  forge: 1,
  intrude: 1,
  erase: 1,
  sweep: 1,
}
const SCHEMES = ['TWO_OF_TWO', 'TWO_OF_THREE', 'THREE_OF_FIVE'] as const

/** Chance of each other step. */
const OTHERS = 0.07
/** Steps whose interaction is interesting: each world has those of one list, and few others. */
const THEMES: readonly (readonly string[])[] = [
  ['refresh', 'replay'],
  ['refresh', 'refuse', 'crash'],
  ['restore', 'delegate', 'revoke', 'replay'],
  ['restore', 'delegate', 'revoke', 'snapshot', 'failure'],
  ['refresh', 'policy', 'snapshot', 'failure'],
  ['refresh', 'forge', 'replay', 'sweep'],
  ['reshare', 'policy', 'refresh', 'crash'],
  ['restore', 'delegate', 'abort', 'intrude'],
  Object.keys(MAX_BUDGET),
]
export interface Find extends Violation {
  readonly seed: number
  readonly first: World
}

export function describeViolation(place: string, { problem, trace }: Violation): string {
  return [`${place}: ${problem}`, ...trace].join('\n  ')
}

/** Returns the shortened trace of a find under the rules of the product. */
export function describeFind(find: Find): string {
  return describeViolation(`Seed ${find.seed}`, shorten(find.first, PRODUCT_RULES, find))
}

/** Runs the world of a seed, which also chooses the scheme and the budget. */
export function runSeed(seed: number, rules: Rules): Find | undefined {
  const random = seeded(seed)
  const theme = THEMES[Math.floor(random() * THEMES.length)] ?? []
  const budget = Object.entries(MAX_BUDGET).map(([step, max]) => {
    const isDrawn = random() < OTHERS
    return [step, isDrawn || theme.includes(step) ? max : 0]
  })
  const scheme = SCHEMES[Math.floor(random() * SCHEMES.length)] ?? 'TWO_OF_THREE'
  const hasR2 = scheme === 'THREE_OF_FIVE' || random() < 0.7
  const first = createWorld({ scheme, hasR2, budget: Object.fromEntries(budget) })
  const violation = wander(first, rules, random, STEPS)
  return violation && { ...violation, seed, first }
}
