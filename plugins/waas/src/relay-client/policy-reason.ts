/** Explains to the user which rule made a relay ask for consent or refuse. */
import * as v from 'valibot'

const LAMPORTS_DIGITS = 9

/** Formats an amount of a token without trailing zeros: `inUnits(1500n, 3)` is `1.5`. */
export function inUnits(amount: bigint, decimals: number): string {
  const text = amount.toString().padStart(decimals + 1, '0')
  const at = text.length - decimals
  const part = text.slice(at).replace(/0+$/, '')
  return `${text.slice(0, at)}${part && `.${part}`}`
}

/** Formats lamports as SOL without trailing zeros: `1.5 SOL`. */
export function inSol(lamports: bigint): string {
  return `${inUnits(lamports, LAMPORTS_DIGITS)} SOL`
}

/** `details` of `consent_required` and `policy_refused`. Amounts in lamports or the smallest unit of a token, decimal. */
export interface PolicyReason {
  readonly rule: string
  /** base58 */
  readonly program?: string | undefined
  /** First bytes of the instruction's data, hex. */
  readonly instruction?: string | undefined
  /** base58 */
  readonly address?: string | undefined
  readonly limit?: string | undefined
  readonly wanted?: string | undefined
  /** Decimals of the token `address`. */
  readonly decimals?: number | undefined
}

const short = v.pipe(v.string(), v.maxLength(64), v.regex(/^\w+$/))
const lamports = v.pipe(v.string(), v.regex(/^\d{1,24}$/))
const reasonSchema: v.GenericSchema<unknown, PolicyReason> = v.object({
  rule: v.pipe(v.string(), v.maxLength(32), v.regex(/^[a-z-]+$/)),
  program: v.optional(short),
  instruction: v.optional(short),
  address: v.optional(short),
  limit: v.optional(lamports),
  wanted: v.optional(lamports),
  decimals: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(18))),
})
/** Returns undefined if `details` is not a reason. */
export function readReason(details: unknown): PolicyReason | undefined {
  const { success, output } = v.safeParse(reasonSchema, details)
  return success ? output : undefined
}

function sol(amount: string | undefined): string {
  return amount === undefined ? 'an unknown amount' : inSol(BigInt(amount))
}
function units(amount = '0', decimals = 0): string {
  return inUnits(BigInt(amount), decimals)
}
const WORDS: { readonly [rule: string]: (reason: PolicyReason) => string } = {
  'daily-limit': ({ limit, wanted }) =>
    `At most ${sol(limit)} pass in 24 hours; with this transaction it would be ${sol(wanted)}.`,
  'transaction-limit': ({ limit, wanted }) =>
    `At most ${sol(limit)} pass in one transaction; this one takes up to ${sol(wanted)}.`,
  'token-limit': ({ address, limit, wanted, decimals }) =>
    `At most ${units(limit, decimals)} of the token ${address} pass in 24 hours; with this transaction it would be ${units(wanted, decimals)}.`,
  token: ({ address = '?' }) => `Transfers of the token ${address} that look like this one are always asked about.`,
  program: ({ program = '?' }) => `The program ${program} is not among those that may be used.`,
  instruction: ({ program = '?', instruction = '?' }) =>
    `The program ${program} may be used, but not for this (instruction ${instruction}).`,
  destination: ({ address = '?' }) => `${address} is not among those who may be paid.`,
  expired: () => 'The rules of this wallet have ended; it may sign nothing until it gets new ones.',
  policy: () => 'The new rules allow something that the present ones do not.',
  message: () => 'Only readable text may be signed as a message, and only if the rules allow messages.',
  'raw-message': () => 'Unreadable bytes may not be signed here.',
  'lookup-table': () => 'It uses an address table that cannot be read reliably.',
  malformed: () => 'It is not a well-formed transaction.',
  version: () => 'It is of a version that the service does not know.',
  signer: () => 'The wallet is not among those who sign it.',
}

/** @example inWords({ rule: 'daily-limit', limit: '1000000000', wanted: '2000005000' }) */
export function inWords(reason: PolicyReason): string {
  return WORDS[reason.rule]?.(reason) ?? `The service’s rule “${reason.rule}” does not let it pass.`
}
