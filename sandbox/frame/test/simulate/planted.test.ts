/**
 * Tests that the simulator finds faults: each one replaces a rule, a check or an adapter of the relays or the frame, and
 * its written world must break an invariant, as it does not without the fault.
 */
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type Simulator, startSimulator } from './run.js'
import { WORLDS } from './worlds.js'

type Real = (...values: unknown[]) => unknown
/** @param values of the call; objects are copies without a type */
type Faulty = (real: Real, ...values: object[]) => unknown

const { planted, plant, FORGED, UNSIGNED } = vi.hoisted(() => {
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
  const FORGED = 'a record that revokes the primary set erases its share'
  const UNSIGNED = 'an unsigned error erases the share that waits for its commit'
  return { planted, plant, FORGED, UNSIGNED }
})

vi.mock('@keybay/waas/mpc', async load => {
  const onRevoke = await plant(load, 'onRevoke', {
    'a delegation that waits cannot be revoked': (real, state) => real({ ...state, ceremonies: [] }),
  })
  const recordedPolicy = await plant(async () => onRevoke, 'recordedPolicy', {
    'R2 ignores a policy that it cannot compare': (_, __, own) => own,
  })
  return plant(async () => recordedPolicy, 'adoptedPolicy', {
    'a relay that joins has no policy': () => ({ policy: null, unconfirmed: [] }),
  })
})
vi.mock('@keybay/waas/mpc/lifecycle', async load => {
  const overwrite: Faulty = (_, __, next) => next
  const onWrite = await plant(load, 'onWrite', { [FORGED]: overwrite, [UNSIGNED]: overwrite })
  const onRefusal = await plant(async () => onWrite, 'onRefusal', {
    [UNSIGNED]: (_, stored) => ({ ...stored, pending: undefined }),
  })
  return plant(async () => onRefusal, 'onRecord', {
    [FORGED](real, stored, seen, now) {
      const share = { epoch: -1, set: new Uint8Array() }
      const isRevoked = Reflect.get(seen, 'status') === 'revoked'
      return isRevoked ? { set: { ...stored, share, pending: undefined }, isConfirmed: false } : real(stored, seen, now)
    },
  })
})
vi.mock('../../../relay/src/policy/index.js', load =>
  plant(load, 'isWithin', { 'R2 takes every policy of a record': () => true }),
)
vi.mock('../../../../plugins/waas/dist/mpc/parties.js', load =>
  plant(load, 'additionalSharing', {
    'a delegate shares the key with R1 alone': () => ({ threshold: 2, parties: ['C', 'R1'] }),
  }),
)
vi.mock('../../../relay/src/authority/authorize.js', load =>
  plant(load, 'checkRow', { 'a relay signs without checking its row': () => undefined }),
)
vi.mock('../../../relay/src/ceremonies/adopt.js', load =>
  plant(load, 'insertSet', {
    'a relay forgets the policy of a new set': (real, services, tx, made, entry) =>
      real(services, tx, { ...made, policy: null }, entry),
  }),
)
vi.mock('../../../relay/src/ceremonies/witness.js', load =>
  plant(load, 'sendOwed', {
    async 'a comparison that R2 refuses begins again'(real, services, ...rest) {
      const sent = Object(await real(services, ...rest))
      if (sent.isRefused) Reflect.get(services, 'comparison').restart()
      return sent
    },
  }),
)
vi.mock('../../src/page/operations/backup-providers.js', load =>
  plant(load, 'backUp', { 'a backup is not stored': async () => undefined }),
)
/** Faults, with the world that finds each. */
const FAULTS: Readonly<Record<string, keyof typeof WORLDS>> = {
  [FORGED]: 'a lie of R1 that a set is revoked erases the share of a browser',
  [UNSIGNED]: 'an error that no relay signed erases the share that waits for its commit',
  'R2 takes every policy of a record': 'R1 makes R2 enforce a looser policy than the user signed',
  'R2 ignores a policy that it cannot compare': 'a restored R2 forgets the policy that the user signed',
  'a delegate shares the key with R1 alone':
    'a delegate that the user revoked signs after the database of R1 is put back',
  'a delegation that waits cannot be revoked': 'the user cannot revoke a delegation before the delegate accepts it',
  'a relay that joins has no policy': 'R2 joins a wallet without its policy',
  'a relay forgets the policy of a new set':
    'a delegate that the user revoked signs after the database of R1 is put back',
  'a relay signs without checking its row': 'two dealings of one epoch count as two epochs',
  'a comparison that R2 refuses begins again':
    'a relay compares itself for ever after the relays have got two histories of a wallet',
  'a backup is not stored': 'a device that the user replaced signs after the database of R1 is put back',
}

let simulator: Simulator
beforeAll(async () => {
  simulator = await startSimulator()
}, 120_000)
afterAll(() => simulator.stop())

it.each(Object.entries(FAULTS))(
  'finds a planted fault: %s',
  async (fault, world) => {
    planted.fault = fault
    expect((await simulator.run(WORLDS[world] ?? [])).violation).toBeDefined()
  },
  240_000,
)
