/** Applies a record that this relay has lost and its peer shows, where a frame's record could only freeze. */
import { codecs, encode, onMissedRecord, type RecordDecision } from '@keybay/waas/mpc'
import { eq } from 'drizzle-orm'
import { getDefaultPolicy } from '../authority/policy.js'
import { wallets } from '../db/schema.js'
import { RelayError } from '../http/errors.js'
import { toText } from '../http/fields.js'
import { isWithin, type Policy } from '../policy/index.js'
import type { Services } from '../services.js'
import type { AuditEntry } from '../store/audit.js'
import type { SetRow } from '../store/sets.js'
import type { RecordFacts } from './record.js'

export interface Missed {
  readonly row: SetRow | undefined
  readonly facts: RecordFacts
  readonly text: string
  /** Policy that the record names by its hash. */
  readonly policy: Policy | null
}
type Known = Missed & { readonly row: SetRow }

/** Returns true when the record shows that this relay has lost writes, or only witnesses the wallet. */
export function isMissed(action: RecordDecision['action'], pending: object | undefined): boolean {
  return action === 'freeze' || (action === 'refuse' && pending === undefined)
}

/** @returns the row as it is now. @throws RelayError `policy_mismatch` for a looser policy, which R2 takes only from the user */
export async function applyMissed(services: Services, { row, ...missed }: Missed): Promise<SetRow | undefined> {
  const consequence = onMissedRecord(row, missed.facts.set)
  if (!row || consequence === 'witness') return row
  return (consequence === 'lose' ? lose : renew)(services, { row, ...missed })
}

function getEntry({ clock }: Services, { userId, set, transcript }: RecordFacts, what: AuditEntry['what']): AuditEntry {
  return { at: clock.now(), what, userId, epoch: set.epoch, transcript }
}

function renew(services: Services, { row, facts, text, policy }: Known): Promise<SetRow> {
  const entry = getEntry(services, facts, 'policy')
  return services.sets.change(row, now => {
    if (!mayTake(services, now, policy)) throw new RelayError('policy_mismatch')
    return { values: { record: text, policy }, entry }
  })
}

/** R1 signed the record itself. R2 takes a tighter policy from R1, but a looser one only from the user. */
function mayTake({ party, environments }: Services, row: SetRow, policy: Policy | null): boolean {
  const environment = environments.get(row.environmentId)
  if (party === 'R1' || !environment) return party === 'R1'
  return policy !== null && isWithin(policy, row.policy ?? getDefaultPolicy(environment))
}

/**
 * Marks the share as lost: the set has a newer epoch, whose share this relay does not have. The old share stays sealed
 * in the row, where an operator can still use it.
 */
function lose(services: Services, { row, facts, text, policy }: Known): Promise<SetRow> {
  const { set, scheme, device: thumbprint } = facts
  const entry = { ...getEntry(services, facts, 'lost'), before: row.epoch }
  services.log({ level: 'error', message: 'a share is lost: it is newer than this database', walletId: row.walletId })
  const publicSet = toText(encode(codecs.shareSet, set))
  return services.sets.change(
    row,
    now => {
      const place = { epoch: set.epoch, publicSet, record: text, thumbprint, lostAt: services.clock.now() }
      return { values: { ...place, ...(mayTake(services, now, policy) && { policy }) }, entry }
    },
    undefined,
    async tx => {
      if (row.kind === 'primary') await tx.update(wallets).set({ scheme }).where(eq(wallets.id, row.walletId))
      return {}
    },
  )
}
