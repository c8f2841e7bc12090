/** What went wrong on the chain, in words. The chain's own account of it is kept beside. */
import { at } from '../rpc/read.js'

/** Errors that the System program numbers (solana-program, SystemError). */
const SYSTEM_ERRORS = [
  'the account is already in use',
  'the account does not hold enough lamports',
  'the program may not own the account',
  'the account data would be too long',
  'the seed is too long',
  'the address does not fit its seed',
]
const words = (name: string) => name.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()

const SYSTEM_PROGRAM = '11111111111111111111111111111111'

/**
 * @param failure the chain's TransactionError: a name, or an object with one
 * @param programs the program of each instruction
 * @example reasonOf({ InstructionError: [0, 'MissingRequiredSignature'] }) // 'instruction 1: missing required signature'
 */
export const reasonOf = (failure: unknown, programs: readonly (string | undefined)[] = []): string => {
  if (typeof failure === 'string') return words(failure)
  const index = at(failure, 'InstructionError', 0)
  const inner = at(failure, 'InstructionError', 1)
  if (typeof index === 'number') {
    const custom = at(inner, 'Custom')
    const named = programs[index] === SYSTEM_PROGRAM && typeof custom === 'number' ? SYSTEM_ERRORS[custom] : undefined
    const what = typeof inner === 'string' ? words(inner) : (named ?? `error ${String(custom ?? 'unknown')}`)
    return `instruction ${index + 1}: ${what}`
  }
  const name = typeof failure === 'object' && failure !== null ? Object.keys(failure)[0] : undefined
  return name ? words(name) : 'unknown'
}
