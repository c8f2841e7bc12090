/** Sponsorship policies. A transaction that no policy allows is refused before any key is used. */
import type { ErrorDetails } from '@keybay/sandbox-service/http'
import * as v from 'valibot'
import { ApiError, noGasSponsoringPolicy } from '../http/errors.js'
import { type Draft, isDurable, touches } from './draft.js'

const address = v.pipe(v.string(), v.regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/))
const lamports = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(Number.MAX_SAFE_INTEGER))
/** First byte of an instruction's data, by which these programs distinguish instructions; no data counts as 0. */
const instructions = v.union([
  v.literal('all'),
  v.array(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(255))),
])

/**
 * Transfers of SOL and tokens, the accounts that they need, and memos. Tokens (SPL and Token-2022): Transfer 3,
 * TransferChecked 12, and 26 of Token-2022's transfer fee. Associated accounts: Create 0, CreateIdempotent 1.
 */
const TRANSFERS: Readonly<Record<string, 'all' | number[]>> = {
  '11111111111111111111111111111111': [2],
  TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA: [3, 12],
  TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb: [3, 12, 26],
  ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL: [0, 1],
  MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr: 'all',
  ComputeBudget111111111111111111111111111111: [1, 2, 3, 4],
}

/** Sponsorship policy. Amounts are in lamports; a day is a UTC day. */
export const sponsorshipSchema = v.strictObject({
  programs: v.optional(v.record(address, instructions), TRANSFERS),
  /** Maximum cost of one transaction for the sponsor, in lamports. */
  maxLamportsPerTransaction: v.optional(lamports, 100_000),
  dailyLamports: v.optional(lamports, 100_000_000),
  dailyLamportsPerUser: v.optional(lamports, 1_000_000),
  /** Limit of all users of an IPv4 address or an IPv6 /48: accounts cost nothing, so one attacker could use up the day. */
  dailyLamportsPerSite: v.optional(v.pipe(lamports, v.maxValue(1_000_000_000)), 10_000_000),
})
export type SponsorshipPolicy = v.InferOutput<typeof sponsorshipSchema>

export function refuseSponsorship(reason: string, details: ErrorDetails = {}): ApiError {
  return new ApiError(noGasSponsoringPolicy, { reason, ...details })
}

/**
 * Checks that the sponsor only pays the fee and signs. No instruction may name the sponsor's account, because a program
 * moves lamports only of accounts that it is given.
 * @param from sender, who must be the payer without the sponsor
 * @throws ApiError `no_gas_sponsoring_policy`, with `details.reason`
 */
export function checkSponsored(policy: SponsorshipPolicy, draft: Draft, from: string, sponsor: string): void {
  if (draft.payer !== from) throw refuseSponsorship('fee_payer')
  if (from === sponsor || touches(draft, sponsor)) throw refuseSponsorship('sponsor_account')
  if (isDurable(draft)) throw refuseSponsorship('durable_nonce')
  for (const [index, { programId, data }] of draft.instructions.entries()) {
    const program = programId.toBase58()
    const allowed = Object.hasOwn(policy.programs, program) ? policy.programs[program] : undefined
    if (allowed === undefined) throw refuseSponsorship('program', { instruction: index, program })
    if (allowed !== 'all' && !allowed.includes(data[0] ?? 0))
      throw refuseSponsorship('instruction', { instruction: index, program })
  }
}
