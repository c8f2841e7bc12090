/** Tests what R2 enforces after any policies that R1's records name. A policy of this test is a set of bits that it signs. */
import { expect, it } from 'vitest'
import { type EnforcedPolicy, MAX_UNCONFIRMED, recordedPolicy } from '../../../src/mpc/lifecycle/relay.js'
import { seeded } from '../../../src/mpc/lifecycle/search.js'

const ALL = 0xff_ffff
const order = { isWithin: (next: number, now: number) => (next & ~now) === 0, nothing: 0 }

function getAllowed({ policy, unconfirmed }: EnforcedPolicy<number>): number {
  return unconfirmed.reduce((allowed, known) => allowed & known, policy)
}

it('records of a lying R1 make R2 no looser, and its list of policies no longer than the maximum', () => {
  for (let seed = 0; seed < 100; seed += 1) {
    const random = seeded(seed)
    let enforced: EnforcedPolicy<number> = { policy: ALL - 1, unconfirmed: [] }
    for (let record = 0; record < 50; record += 1) {
      const refused = Math.floor(random() * 24)
      const recorded = random() < 0.9 ? ALL & ~(1 << refused) : Math.floor(random() * ALL)
      const next = recordedPolicy('R2', enforced, recorded, order)
      const mayAllow = getAllowed(enforced) & recorded
      expect(getAllowed(next) & ~mayAllow).toBe(0)
      expect(next.unconfirmed.length).toBeLessThanOrEqual(MAX_UNCONFIRMED)
      enforced = next
    }
  }
})
