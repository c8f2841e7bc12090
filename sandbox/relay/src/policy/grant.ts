/** Grants: policies outside which the user is asked. They cover transfers, never messages or programs of other kinds. */
import type { Policy } from './policy.js'
import { COMPUTE_BUDGET, SYSTEM } from './programs.js'

/** Program → the instructions that a grant may list; undefined: all. */
const GRANTABLE: ReadonlyMap<string, readonly string[] | undefined> = new Map([
  [SYSTEM, ['02000000']],
  [COMPUTE_BUDGET, undefined],
])

/** Returns true for a policy that is no grant, and for a grant of transfers with a daily limit. */
export function isSoundGrant({ otherwise, origin, dailyLimit, programs, messages }: Policy): boolean {
  if (otherwise === undefined) return origin === undefined
  const isListed = ({ programId, instructions, uncapped }: Policy['programs'][number]): boolean =>
    GRANTABLE.has(programId) && !uncapped && instructions?.join() === GRANTABLE.get(programId)?.join()
  return dailyLimit !== undefined && !messages && programs.every(isListed)
}
