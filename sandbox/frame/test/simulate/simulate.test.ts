/** Tests the simulator, and the relays and the frame in the worlds that it makes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generate } from './generate.js'
import { hunt } from './hunt.js'
import { type Simulator, startSimulator } from './run.js'
import { WORLDS } from './worlds.js'

let simulator: Simulator
beforeAll(async () => {
  simulator = await startSimulator()
}, 120_000)
afterAll(() => simulator.stop())

describe('worlds that once broke an invariant', () => {
  it.each(Object.entries(WORLDS))(
    '%s: no longer',
    async (_, steps) => {
      expect((await simulator.run(steps)).violation).toBeUndefined()
    },
    60_000,
  )
})

it('a seed gives the same steps and the same trace each time', async () => {
  for (const seed of [3, 14, 15, 92]) {
    const [first, second] = [await simulator.run(generate(seed)), await simulator.run(generate(seed))]
    expect(second).toEqual(first)
    expect(first.trace.length).toBeGreaterThan(10)
  }
}, 120_000)

it('50 random worlds keep every invariant', async () => {
  const { find } = await hunt(simulator, 1, worlds => worlds === 50)
  expect(find).toBeUndefined()
}, 600_000)
