/** Signing on secp256k1, shared by EVM and Bitcoin accounts: checks, limits and audit entries. */
import { checkRow, type SetAuthority, setErrors } from '../authority/authorize.js'
import { chainOf, type WalletChain } from '../ceremonies/chain.js'
import { countOne, getWait } from '../db/counters.js'
import type { Call } from '../http/call.js'
import { consentRequired, invalidRequest, mfaRequired, RelayError, tooManyRequests } from '../http/errors.js'
import type { AuditEntry } from '../store/audit.js'
import { getPublicSet } from '../store/public-set.js'
import type { SetRow } from '../store/sets.js'

/** Maximum signatures per minute and set. The user agrees to each of them. */
const MAX_A_MINUTE = 30

export const signErrors = [...setErrors, consentRequired, mfaRequired, tooManyRequests] as const

/** Checks that the set belongs to this chain, is usable, and has not signed too often. @throws RelayError */
export function checkSigner(call: Call, row: SetRow, { device }: SetAuthority, chain: WalletChain): void {
  const { services } = call
  checkRow(call, row, device)
  if (chainOf(getPublicSet(row), row.address) !== chain) throw new RelayError(invalidRequest, { reason: 'chain' })
  const retryAfter = getWait(row.counters, services.clock.now(), MAX_A_MINUTE * services.limitFactor)
  if (retryAfter !== undefined) throw new RelayError(tooManyRequests, { retryAfter })
}

/** Uses up the device signature, counts and records it in one statement, before any use of the share. */
export async function spend(call: Call, authority: SetAuthority, chain: WalletChain, entry: AuditEntry): Promise<void> {
  await call.services.sets.change(
    authority.row,
    now => {
      checkSigner(call, now, authority, chain)
      return { values: { counters: countOne(now.counters, call.services.clock.now(), 0n) }, entry }
    },
    authority.nonce,
  )
}
