/** Searches worlds of the product's rules for broken invariants, and checks that it finds planted faults. */
import { describe, expect, it } from 'vitest'
import { explore, follow } from '../../../src/mpc/lifecycle/search.js'
import { createWorld, PRODUCT_RULES, type World } from '../../../src/mpc/lifecycle/world.js'
import { FAULTS } from './faults.js'
import { describeFind, describeViolation, runSeed } from './random-worlds.js'

type Setting = Pick<World, 'scheme' | 'hasR2' | 'budget'>

const WORLDS = 2_000
/** Number of random worlds that find every fault. */
const MAX_WORLDS = 1_000
/** Time limit of a search, which takes 6 s of an idle core. */
const TIMEOUT_MS = 120_000
const MAX_DEPTH = 12
/** Small worlds, with the depth to which every order of their steps is tried. */
const SMALL_WORLDS: readonly (readonly [Setting, number])[] = [
  [
    { scheme: 'TWO_OF_THREE', hasR2: true, budget: { reshare: 1, restore: 1, delegate: 1, snapshot: 1, failure: 1 } },
    7,
  ],
  [{ scheme: 'TWO_OF_TWO', hasR2: false, budget: { refresh: 2, refuse: 1, replay: 1 } }, MAX_DEPTH],
  [
    { scheme: 'TWO_OF_THREE', hasR2: false, budget: { refresh: 1, restore: 1, refuse: 1, snapshot: 1, failure: 1 } },
    10,
  ],
  [
    { scheme: 'TWO_OF_THREE', hasR2: true, budget: { delegate: 1, revoke: 1, abort: 1, snapshot: 1, failure: 1 } },
    MAX_DEPTH,
  ],
  [{ scheme: 'TWO_OF_THREE', hasR2: true, budget: { reshare: 2, policy: 1 } }, MAX_DEPTH],
  [{ scheme: 'THREE_OF_FIVE', hasR2: true, budget: { refresh: 1, forge: 1, crash: 1, snapshot: 1, failure: 1 } }, 10],
]

const FAILURE = { snapshot: 1, failure: 1 }
const RESHARE = ['deal phone reshare true', 'upload phone', 'send phone primary']
const REPLACE = ['deal laptop replaceDevice true', 'upload laptop', 'send laptop primary']
const ADD = ['deal laptop addDevice true', 'send laptop device']
/** Traces that once broke an invariant, with their budget. */
const TRACES: readonly (readonly [string, World['budget'], readonly string[]])[] = [
  [
    'a restored R2 takes a record of its pending share and a later one',
    { reshare: 1, restore: 1, ...FAILURE },
    [
      ...[...RESHARE, 'commit c0 false', 'snapshot R2', 'tell 1'],
      ...['deal laptop replaceDevice true', 'upload laptop', 'send laptop primary', 'commit c1 false'],
      ...['restore R2', 'compare R2'],
    ],
  ],
  [
    'a restored R2 returns to a wallet that it has left',
    { reshare: 3, ...FAILURE },
    [
      ...[...RESHARE, 'commit c0 false', 'answer phone 1', 'tell 1'],
      ...[...RESHARE, 'commit c1 false', 'answer phone 2', 'tell 2'],
      ...[...RESHARE, 'commit c2 false', 'snapshot R2', 'restore R2', 'compare R2'],
    ],
  ],
  [
    'a share that was put aside does not revive a revoked set',
    { restore: 2, revoke: 1, replay: 2, ...FAILURE },
    [
      ...['snapshot R1', ...ADD, 'commit c0 false', 'restore R1', 'compare R1'],
      ...[...ADD, 'commit c1 false', 'revoke phone device', 'replay laptop 3', 'replay laptop 1'],
    ],
  ],
  [
    'a browser that R1 lied to ends late, while its next shares of the same epoch wait',
    { restore: 2, forge: 1 },
    [
      ...[...REPLACE, 'forge active', 'answer laptop 1', ...REPLACE, 'commit c1 false'],
      ...['tidy laptop', 'answer laptop 2'],
    ],
  ],
  [
    'a restored R1 has the first of two attempts to add a device',
    { restore: 2, ...FAILURE },
    [
      ...['deal laptop addDevice true', 'snapshot R1', 'send laptop device', ...ADD, 'commit c1 false', 'tell 1'],
      ...['restore R1', 'compare R1', 'commit c0 false'],
    ],
  ],
]

describe('the rules of the product', () => {
  it.each(TRACES)('keep every invariant where %s', (_, budget, trace) => {
    const first = createWorld({ scheme: 'TWO_OF_THREE', hasR2: true, budget })
    expect(follow(first, PRODUCT_RULES, trace)).toBeUndefined()
  })

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
        const find = runSeed(seed, PRODUCT_RULES)
        if (find) expect.fail(describeFind(find))
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

  it.each(FAULTS)(
    'finds the fault within 1000 random worlds: $name',
    ({ name, rules }) => {
      const seeds = Array.from({ length: MAX_WORLDS }, (_, seed) => seed)
      const worlds = 1 + seeds.findIndex(seed => runSeed(seed, rules) !== undefined)
      console.info(`${worlds} worlds: ${name}`)
      expect(worlds).toBeGreaterThan(0)
    },
    TIMEOUT_MS,
  )

  it('has at least 20 faults to find', () => expect(FAULTS.length).toBeGreaterThanOrEqual(20))
})
