/** Grants: policies outside which the user is asked. They cover transfers, never messages or programs of other kinds. */
import { type Policy, toBase58, toHex } from './policy.js'
import { ASSOCIATED_TOKEN, COMPUTE_BUDGET, type Effect, isNative, SYSTEM, TOKEN, TOKEN_2022 } from './programs.js'
import { Refusal } from './refusal.js'

/** Program → the instructions that a grant may list; undefined: all. */
const GRANTABLE: ReadonlyMap<string, readonly string[] | undefined> = new Map([
  [SYSTEM, ['02000000']],
  [COMPUTE_BUDGET, undefined],
  [TOKEN, ['0c']],
  [TOKEN_2022, ['0c']],
  [ASSOCIATED_TOKEN, undefined],
])

/** Returns true for a policy that is no grant, and for a grant of transfers with a daily limit for each token. */
export function isSoundGrant({ otherwise, origin, dailyLimit, programs, messages, tokens = [] }: Policy): boolean {
  if (otherwise === undefined) return origin === undefined && tokens.length === 0
  // Wrapped SOL counts as SOL.
  if (tokens.some(({ mint }) => isNative(toHex(mint)))) return false
  const isListed = ({ programId, instructions, uncapped }: Policy['programs'][number]): boolean =>
    GRANTABLE.has(programId) && !uncapped && instructions?.join() === GRANTABLE.get(programId)?.join()
  return dailyLimit !== undefined && !messages && programs.every(isListed)
}

/**
 * Returns what a transaction sends of each token of a grant. A grant covers exact transfers of these tokens by the wallet
 * itself, and new token accounts only for their recipients.
 *
 * @returns mint, base58 → amount in its smallest unit
 * @throws Refusal `token`
 */
export function countTokens({ tokens = [] }: Policy, effects: readonly Effect[]): ReadonlyMap<string, bigint> {
  const sums = new Map<string, bigint>()
  for (const { token } of effects) {
    if (!token) continue
    const mint = toBase58(token.mint)
    const listed = tokens.find(rule => rule.mint === mint && rule.decimals === token.decimals)
    if (!listed || !token.isPlain) throw new Refusal('token', { address: mint })
    sums.set(mint, (sums.get(mint) ?? 0n) + token.amount)
  }
  for (const { opens } of effects)
    if (opens && !effects.some(({ token }) => token?.account === opens.account && token.mint === opens.mint))
      throw new Refusal('token', { address: toBase58(opens.mint) })
  return sums
}
