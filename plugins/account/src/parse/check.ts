/** Rules that check the shape and size of API responses. Unknown fields are ignored, so that the API can grow. */
import { KeybayError, requestFailed } from '@keybay/kernel/spec'

export type Rule<T> = (value: unknown) => value is T
type Rules<T> = { readonly [K in keyof T]-?: Rule<T[K]> }

const MAX_TEXT = 16_384
const MAX_ITEMS = 1000

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
export const text: Rule<string> = (value): value is string => typeof value === 'string' && value.length <= MAX_TEXT
export const number: Rule<number> = (value): value is number => typeof value === 'number' && Number.isFinite(value)
export const flag: Rule<boolean> = (value): value is boolean => typeof value === 'boolean'

export function optional<T>(rule: Rule<T>): Rule<T | undefined> {
  return (value): value is T | undefined => value === undefined || rule(value)
}

export function nullable<T>(rule: Rule<T>): Rule<T | null> {
  return (value): value is T | null => value === null || rule(value)
}

export function list<T>(rule: Rule<T>): Rule<readonly T[]> {
  return (value): value is readonly T[] => Array.isArray(value) && value.length <= MAX_ITEMS && value.every(rule)
}

export function shape<T>(rules: Rules<T>): Rule<T> {
  return (value): value is T => {
    if (!isObject(value)) return false
    for (const field in rules) if (!rules[field](value[field])) return false
    return true
  }
}

/**
 * @param problem description of the problem, if known
 * @throws KeybayError `request_failed` if the response is malformed or does not come from the API
 */
export function read<T>(rule: Rule<T>, value: unknown, problem = 'unexpected answer'): T {
  if (rule(value)) return value
  throw new KeybayError(requestFailed, { detail: problem })
}
