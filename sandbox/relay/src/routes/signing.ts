/** Signing code shared by all accounts. */
import type { MfaAction } from '@keybay/kernel/spec'
import { type Authority, checkRow, type SetAuthority, setErrors } from '../authority/authorize.js'
import { chainOf, type WalletChain } from '../ceremonies/chain.js'
import { isRelay } from '../ceremonies/plan.js'
import { sha256 } from '../crypto/jwk.js'
import { countOne, getWait } from '../db/counters.js'
import { RelayError } from '../http/errors.js'
import type { Call } from '../http/route.js'
import { NO_AMOUNTS } from '../policy/index.js'
import type { AuditEntry } from '../store/audit.js'
import { type SetRow, takeNonce } from '../store/sets.js'
import { getPublicSet } from '../store/shares.js'

export const SIGN_ACTION: MfaAction = 'wallet.waas.sign'
/** Maximum bytes to sign. A Solana transaction has at most 1232; a message, typed data or a PSBT may be longer. */
export const MAX_BYTES = 64 * 1024

/** Returns the signing parties: the device and every relay of the set. */
export function getSigners(row: SetRow): readonly string[] {
  return getPublicSet(row).parties.filter(party => party === 'C' || isRelay(party))
}

/** Maximum signatures per minute and set. The user agrees to each of them. */
const MAX_A_MINUTE = 30

export const signErrors = [...setErrors, 'consent_required', 'mfa_required', 'too_many_requests'] as const

/** Checks that the set belongs to this chain, is usable, and has not signed too often. @throws RelayError */
export function checkSigner(call: Call, row: SetRow, { device }: SetAuthority, chain: WalletChain): void {
  const { services } = call
  checkRow(call, row, device)
  if (chainOf(getPublicSet(row), row.address) !== chain) throw new RelayError('invalid_request', { reason: 'chain' })
  const retryAfter = getWait(row.counters, services.clock.now(), MAX_A_MINUTE * services.limitFactor)
  if (retryAfter !== undefined) throw new RelayError('too_many_requests', { retryAfter })
}

/**
 * Lets R1 use its nonces once after it has waited for R2: a machine resumed several times in that wait would sign with
 * the same nonces and other commitments, which gives its share away. Only the first of them changes the database.
 *
 * @throws RelayError `invalid_device_signature`
 */
export async function answerOnce({ services }: Call, { nonce }: Pick<Authority, 'nonce'>): Promise<void> {
  const id = sha256(`answered ${nonce.id}`)
  if (!(await takeNonce(services.db, { id, expiresAt: nonce.expiresAt }))) throw nonce.replayed()
}

/** Uses up the device signature, counts and records it in one statement, before any use of the share. */
export async function spend(call: Call, authority: SetAuthority, chain: WalletChain, entry: AuditEntry): Promise<void> {
  await call.services.sets.change(
    authority.row,
    now => {
      checkSigner(call, now, authority, chain)
      return { values: { counters: countOne(now.counters, call.services.clock.now(), NO_AMOUNTS) }, entry }
    },
    authority.nonce,
  )
}
