/** Policies: every action that is not listed is denied. Amounts in lamports, or in a token's smallest unit. */
import bs58 from 'bs58'
import * as v from 'valibot'
import { Cache } from '../cache.js'
import { sha256 } from '../crypto/jwk.js'

const units = v.pipe(
  v.string(),
  v.regex(/^(0|[1-9]\d{0,19})$/),
  v.check(text => BigInt(text) <= 0xffff_ffff_ffff_ffffn, 'At most 64 bits'),
)
const address = v.pipe(
  v.string(),
  v.minLength(32),
  v.maxLength(44),
  v.check(text => bs58.decodeUnsafe(text)?.length === 32, 'An address is 32 bytes in base58'),
)
const MAX_TOKENS = 8
const tokens = v.pipe(
  v.array(
    v.strictObject({
      mint: address,
      /** Decimals that the user read the amount with: a mint or transfer with others is not this token. */
      decimals: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(18)),
      /** Limit in 24 hours, in the token's smallest unit. */
      dailyLimit: units,
    }),
  ),
  v.minLength(1),
  v.maxLength(MAX_TOKENS),
  v.check(list => new Set(list.map(({ mint }) => mint)).size === list.length, 'A token is listed once'),
)
/** At least one byte, so that no rule lists everything by mistake. */
const prefix = v.pipe(v.string(), v.regex(/^([0-9a-f]{2}){1,32}$/))

/** Policy schema. The host's session key signs the policy's JSON in this order of fields. */
export const policySchema = v.strictObject({
  /** Limit in 24 hours, fees included. Absent: no limit. */
  dailyLimit: v.optional(units),
  /** Limit of one transaction, fees included. Absent: no limit. */
  transactionLimit: v.optional(units),
  programs: v.pipe(
    v.array(
      v.strictObject({
        programId: address,
        /** First bytes of the instruction's data, hex. Absent: all but those that must be listed by name. */
        instructions: v.optional(v.pipe(v.array(prefix), v.maxLength(64))),
        /** True when the program may move more than can be counted. */
        uncapped: v.optional(v.boolean()),
      }),
    ),
    v.maxLength(64),
    v.check(rules => new Set(rules.map(rule => rule.programId)).size === rules.length, 'A program is listed once'),
  ),
  /** Allowed recipients: wallets for SOL, token accounts for tokens. Absent: all. */
  destinations: v.optional(v.pipe(v.array(address), v.maxLength(256))),
  messages: v.boolean(),
  /** ms since epoch; afterwards the policy allows nothing. */
  expiresAt: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
  /** `ask`: everything else is signed with the user's consent. Absent: everything else is refused. */
  otherwise: v.optional(v.literal('ask')),
  /** With `otherwise`: the only origin of the host whose requests need no consent. */
  origin: v.optional(v.pipe(v.string(), v.maxLength(256))),
  /** With `otherwise`: the only tokens whose transfers need no consent. */
  tokens: v.optional(tokens),
})
export type Policy = v.InferOutput<typeof policySchema>

/** Returns the policy's JSON in the schema's order of fields, which the database does not keep. */
export function policyText(policy: Policy | null): string {
  return JSON.stringify(policy && v.parse(policySchema, policy))
}

export function hashPolicy(policy: Policy | null): string {
  return sha256(policyText(policy))
}

export type ProgramRule = Policy['programs'][number]
export type TokenRule = NonNullable<Policy['tokens']>[number]

const hexCache = new Cache<string>()
/**
 * Returns the address as hex. Cached, because every signature looks up the same programs and destinations.
 *
 * @throws RangeError for an invalid address; a typo in this code stops the relay at its start
 */
export function toHex(address: string): string {
  const known = hexCache.get(address)
  if (known !== undefined) return known
  const bytes = bs58.decode(address)
  if (bytes.length !== 32) throw new RangeError(`${address} is no address`)
  return hexCache.set(address, Buffer.from(bytes).toString('hex'))
}

export function toBase58(hex: string): string {
  return bs58.encode(Buffer.from(hex, 'hex'))
}

function atMost(next: string | undefined, now: string | undefined): boolean {
  return now === undefined || (next !== undefined && BigInt(next) <= BigInt(now))
}

function isRuleWithin(next: ProgramRule, now: ProgramRule | undefined): boolean {
  if (!now || (next.uncapped && !now.uncapped)) return false
  if (now.instructions === undefined) {
    // An absent list means "all but those that must be listed by name", so any list may add an instruction.
    return next.instructions === undefined
  }
  const listed = now.instructions
  return next.instructions?.every(prefix => listed.some(known => prefix.startsWith(known))) ?? false
}

function isTokenWithin(next: TokenRule, { tokens }: Policy): boolean {
  const now = tokens?.find(({ mint }) => mint === next.mint)
  return now?.decimals === next.decimals && atMost(next.dailyLimit, now.dailyLimit)
}

function findRule({ programs }: Policy, programId: string): ProgramRule | undefined {
  return programs.find(rule => rule.programId === programId)
}

/** Returns true when the user is asked about what the policy does not list. Null: the user is asked about everything. */
export function isOpen(policy: Policy | null): boolean {
  return policy === null || policy.otherwise === 'ask'
}

const NOTHING: Policy = { programs: [], messages: false }

/** Policy that refuses everything, even with the user's consent: it has always been expired. */
export const SIGNS_NOTHING: Policy = { ...NOTHING, expiresAt: 0 }

/** Returns true when `next` signs nothing that `now` refuses, and asks wherever `now` asks. */
export function isWithin(next: Policy | null, now: Policy | null): boolean {
  if (isOpen(next) && !isOpen(now)) return false
  return next === null || isListWithin(next, now ?? NOTHING)
}

function isListWithin(next: Policy, now: Policy): boolean {
  return (
    (now.origin === undefined || next.origin === now.origin) &&
    atMost(next.dailyLimit, now.dailyLimit) &&
    atMost(next.transactionLimit, now.transactionLimit) &&
    next.programs.every(rule => isRuleWithin(rule, findRule(now, rule.programId))) &&
    (next.tokens ?? []).every(token => isTokenWithin(token, now)) &&
    (now.destinations === undefined ||
      (next.destinations?.every(destination => now.destinations?.includes(destination)) ?? false)) &&
    (now.messages || !next.messages) &&
    (now.expiresAt === undefined || (next.expiresAt !== undefined && next.expiresAt <= now.expiresAt))
  )
}
