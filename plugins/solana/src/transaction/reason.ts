/** Describes a chain failure in words. The chain's own error is kept next to it. */
import { KeybayError, transactionTimedOut } from '@keybay/kernel/spec'
import { getMeaning, programErrorName, words } from '../programs/errors.js'
import { at } from '../rpc/read.js'
import type { DecodedFailure } from '../steps.js'

/**
 * @param failure the chain's TransactionError: a name, or an object with one
 * @param programs the program of each instruction
 * @param logs program logs, which name the program that failed inside another
 * @example decodeFailure({ InstructionError: [0, 'MissingRequiredSignature'] }).reason // 'instruction 1: missing
 * required signature'
 */
export function decodeFailure(
  failure: unknown,
  programs: readonly (string | undefined)[] = [],
  logs: readonly string[] = [],
): DecodedFailure {
  if (typeof failure === 'string') return { reason: words(failure), failure, name: failure }
  const instruction = at(failure, 'InstructionError', 0)
  const inner = at(failure, 'InstructionError', 1)
  if (typeof instruction === 'number') {
    // The innermost program fails first; its callers pass on its number.
    const deepest = logs.flatMap(line => /^Program (\w{32,44}) failed/.exec(line)?.[1] ?? [])[0]
    const program = deepest ?? programs[instruction]
    const custom = at(inner, 'Custom')
    const numbered = typeof custom === 'number' ? programErrorName(program, custom) : undefined
    const name = typeof inner === 'string' ? inner : numbered
    const what =
      typeof inner === 'string'
        ? words(inner)
        : numbered
          ? getMeaning(numbered)
          : `error ${String(custom ?? 'unknown')}`
    return { reason: `instruction ${instruction + 1}: ${what}`, failure, instruction, program, name }
  }
  const name = typeof failure === 'object' && failure !== null ? Object.keys(failure)[0] : undefined
  return { reason: name ? words(name) : 'unknown', failure, name }
}

export function createExpiredError(signature: string): KeybayError {
  return new KeybayError(transactionTimedOut, {
    details: { signature, state: 'expired', reason: 'its blockhash expired; it can no longer land' },
  })
}
