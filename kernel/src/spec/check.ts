/** The few rules that check a record from outside. Written here because a schema library would cost every host its size. */
import { KeybayError } from './errors.js'
import { recordInvalid } from './validation-errors.js'

/** A predicate over one field. */
export type Rule<T> = (value: unknown) => value is T
/** One rule per field of `T`; the compiler refuses a record with a field that is not checked. */
export type Rules<T> = { readonly [K in keyof T]-?: Rule<T[K]> }

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export const text: Rule<string> = (value): value is string => typeof value === 'string' && value !== ''
export const flag: Rule<boolean> = (value): value is boolean => typeof value === 'boolean'

export function optional<T>(rule: Rule<T>): Rule<T | undefined> {
  return (value): value is T | undefined => value === undefined || rule(value)
}

export function list<T>(rule: Rule<T>): Rule<readonly T[]> {
  return (value): value is readonly T[] =>
    // `Array.from` fills holes, which `every` would skip.
    Array.isArray(value) && Array.from<unknown>(value).every(rule)
}

/** The name of the first field that is missing, wrong or unknown; undefined when all is right. */
export function firstWrongField<T>(rules: Rules<T>, value: unknown): string | undefined {
  if (!isObject(value)) return '(not an object)'
  // Own fields only: what a prototype brings is not part of the record.
  for (const field in rules) if (!rules[field](Object.hasOwn(value, field) ? value[field] : undefined)) return field
  return Object.keys(value).find(field => !Object.hasOwn(rules, field))
}

export function record<T>(rules: Rules<T>): Rule<T> {
  return (value): value is T => firstWrongField(rules, value) === undefined
}

/** A check that throws `record_invalid` with the record's and the field's name, and never with the value: it may be a secret. */
export type Check<T> = (value: unknown) => asserts value is T
/** @param rules a function, so that a bundle that does not use the check drops its rules as well */
export function check<T>(name: string, rules: () => Rules<T>): Check<T> {
  return (value): asserts value is T => {
    const field = firstWrongField(rules(), value)
    if (field !== undefined) throw new KeybayError(recordInvalid, { detail: `${name}.${field}` })
  }
}
