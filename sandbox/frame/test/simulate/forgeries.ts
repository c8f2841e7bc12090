/** Records with which R1 lies to R2. */

import { sha256 } from '@keybay/sandbox-relay/testing/frame/request'
import { otherPackage } from '../relay/liar.js'
import type { Forgery } from './steps.js'
import type { World } from './world.js'

interface Logged {
  readonly record: string
  readonly policy: string
  /** True for the newest record of the set. */
  readonly is_current: boolean
}

/** Daily limits of a forged policy that is looser or tighter than any that a user signs. */
const LIMITS = { looser: 900, tighter: 1 } as const
export const FORGED_LIMITS: readonly number[] = Object.values(LIMITS)

function changeLimit(policy: string, dailyLimit: number): string {
  return JSON.stringify({ programs: [], messages: true, ...JSON.parse(policy), dailyLimit: `${dailyLimit}` })
}

/** R1 delivers a record of the set that it should not. @returns how R2 answers */
export async function forgeRecord({ services, sets }: World, set: number, what: Forgery): Promise<string> {
  const setId = sets[set % sets.length] ?? ''
  const log = await services.relays.R1.read<Logged>(
    `select r.record, r.policy, r.record = s.record as is_current
     from records r join share_sets s on s.wallet_id = r.wallet_id where s.id = $1 order by r.generation`,
    [setId],
  )
  const [newest, base] = [log.at(-1), log.find(entry => (what === 'older' ? true : entry.is_current))]
  if (!newest || !base) return 'skipped'
  const isPolicy = what === 'looser' || what === 'tighter'
  const policy = isPolicy ? changeLimit(base.policy, LIMITS[what]) : base.policy
  const { record } = services.forge({ setId, record: base.record }, ({ epoch, pub, status }) => ({
    gen: log.length,
    prev: sha256(newest.record),
    policy: sha256(policy),
    status: what === 'revoked' || what === 'active' ? what : status,
    ...(what === 'next epoch' && { epoch: epoch + 1, pub: otherPackage(pub, epoch + 1) }),
  }))
  const { status, body } = await services.tellR2(what === 'older' ? base.record : record, policy)
  return status === 200 ? 'ok' : String(body.code)
}
