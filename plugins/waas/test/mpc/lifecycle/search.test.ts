/** Searches worlds of the product's rules for broken invariants, and checks that it finds planted faults. */
import { describe, expect, it } from 'vitest'
import { explore, follow, seeded, shorten, type Violation, wander } from '../../../src/mpc/lifecycle/search.js'
import { createWorld, PRODUCT_RULES, type World } from '../../../src/mpc/lifecycle/world.js'
import { FAULTS } from './faults.js'

type Setting = Pick<World, 'scheme' | 'hasR2' | 'budget'>

const WORLDS = 2_000
/** Time limit of a search, which takes 6 s of an idle core. */
const TIMEOUT_MS = 120_000
const STEPS = 80
const MAX_DEPTH = 12
/** Maximum number of each step in a random world. */
const MAX_BUDGET = {
  refresh: 2,
  restore: 2,
  reshare: 2,
  delegate: 1,
  revoke: 2,
  abort: 1,
  policy: 2,
  refuse: 2,
  replay: 2,
  crash: 1,
  failure: 1,
  forge: 1,
  intrude: 1,
  erase: 1,
  sweep: 1,
}
const SCHEMES = ['TWO_OF_TWO', 'TWO_OF_THREE', 'THREE_OF_FIVE'] as const

/** Small worlds, with the depth to which every order of their steps is tried. */
const SMALL_WORLDS: readonly (readonly [Setting, number])[] = [
  [{ scheme: 'TWO_OF_THREE', hasR2: true, budget: { reshare: 1, restore: 1, delegate: 1, failure: 1 } }, 7],
  [{ scheme: 'TWO_OF_TWO', hasR2: false, budget: { refresh: 2, refuse: 1, replay: 1 } }, MAX_DEPTH],
  [{ scheme: 'TWO_OF_THREE', hasR2: false, budget: { refresh: 1, restore: 1, refuse: 1, failure: 1 } }, 10],
  [{ scheme: 'TWO_OF_THREE', hasR2: true, budget: { delegate: 1, revoke: 1, abort: 1, failure: 1 } }, MAX_DEPTH],
  [{ scheme: 'TWO_OF_THREE', hasR2: true, budget: { reshare: 2, policy: 1 } }, MAX_DEPTH],
  [{ scheme: 'THREE_OF_FIVE', hasR2: true, budget: { refresh: 1, forge: 1, crash: 1, failure: 1 } }, 10],
]

function describeViolation(place: string, { problem, trace }: Violation): string {
  return [`${place}: ${problem}`, ...trace].join('\n  ')
}

/** Runs the world of a seed, which also chooses the scheme and the budget. */
function runSeed(seed: number): Violation | undefined {
  const random = seeded(seed)
  const entries = Object.entries(MAX_BUDGET).map(([step, max]) => [step, Math.floor(random() * (max + 1))])
  const scheme = SCHEMES[Math.floor(random() * SCHEMES.length)] ?? 'TWO_OF_THREE'
  const hasR2 = scheme === 'THREE_OF_FIVE' || random() < 0.7
  const world = createWorld({ scheme, hasR2, budget: Object.fromEntries(entries) })
  const violation = wander(world, PRODUCT_RULES, random, STEPS)
  return violation && shorten(world, PRODUCT_RULES, violation)
}

describe('the rules of the product', () => {
  it.each(SMALL_WORLDS)(
    'keep every invariant in every order of the steps of %o, to depth %i',
    (setting, depth) => {
      const { violation, states } = explore(createWorld(setting), PRODUCT_RULES, depth)
      expect(violation && describeViolation(JSON.stringify(setting), violation)).toBeUndefined()
      expect(states).toBeGreaterThan(300)
    },
    TIMEOUT_MS,
  )

  it(
    `keep every invariant in ${WORLDS} random worlds`,
    () => {
      for (let seed = 0; seed < WORLDS; seed += 1) {
        const violation = runSeed(seed)
        if (violation) expect.fail(describeViolation(`seed ${seed}`, violation))
      }
    },
    TIMEOUT_MS,
  )
})

describe('the search', () => {
  it.each(FAULTS)('finds the fault: $name', ({ rules, world, breaks }) => {
    const first = createWorld(world)
    const { violation } = explore(first, rules, MAX_DEPTH)
    expect(violation?.problem.split(':')[0]).toBe(breaks)
    expect(follow(first, PRODUCT_RULES, violation?.trace ?? [])).toBeUndefined()
  })
})
