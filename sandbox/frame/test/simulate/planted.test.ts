/**
 * Tests that the simulator finds faults: each one replaces a rule, a check or an adapter of the relays or the frame, and
 * one of the written worlds must break an invariant, as it does not without the fault.
 */
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type Simulator, startSimulator } from './run.js'
import { WORLDS } from './worlds.js'

type Real = (...values: unknown[]) => unknown
/** @param values of the call; objects are copies without a type */
type Faulty = (real: Real, ...values: object[]) => unknown

const { planted, plant } = vi.hoisted(() => {
  /** Fault that is planted now. */
  const planted = { fault: '' }
  /** Returns the module with one function that is faulty while its fault is planted. */
  const plant = async (load: () => Promise<unknown>, name: string, faults: Readonly<Record<string, Faulty>>) => {
    const loaded = Object(await load())
    const real: Real = loaded[name]
    const replaced = (...values: unknown[]) => {
      const faulty = faults[planted.fault]
      return faulty ? faulty(real, ...values.map(value => Object(value))) : real(...values)
    }
    return { ...loaded, [name]: replaced }
  }
  return { planted, plant }
})

vi.mock('@keybay/waas/mpc', async load => {
  const onRevoke = await plant(load, 'onRevoke', {
    'a delegation that waits cannot be revoked': (real, state) => real({ ...state, ceremonies: [] }),
  })
  return plant(async () => onRevoke, 'adoptedPolicy', { 'a relay that joins has no policy': () => null })
})
vi.mock('../../../relay/src/authority/authorize.js', load =>
  plant(load, 'checkRow', { 'a relay signs without checking its row': () => undefined }),
)
vi.mock('../../../relay/src/ceremonies/adopt.js', load =>
  plant(load, 'insertSet', {
    'a relay forgets the policy of a new set': (real, services, tx, made, entry) =>
      real(services, tx, { ...made, policy: null }, entry),
  }),
)
vi.mock('../../src/page/operations/backup-providers.js', load =>
  plant(load, 'backUp', { 'a backup is not stored': async () => undefined }),
)
const FAULTS = [
  'a delegation that waits cannot be revoked',
  'a relay that joins has no policy',
  'a relay forgets the policy of a new set',
  'a relay signs without checking its row',
  'a backup is not stored',
]

let simulator: Simulator
beforeAll(async () => {
  simulator = await startSimulator()
}, 120_000)
afterAll(() => simulator.stop())

/** @returns the broken invariant of the first world that breaks one */
async function findViolation(): Promise<string | undefined> {
  for (const steps of Object.values(WORLDS)) {
    const { violation } = await simulator.run(steps)
    if (violation !== undefined) return violation
  }
  return undefined
}

it.each(FAULTS)(
  'finds a planted fault: %s',
  async fault => {
    planted.fault = fault
    expect(await findViolation()).toBeDefined()
  },
  240_000,
)
