/** Rules that validate external records. Written by hand because a schema library would add to every app's bundle. */
/** Predicate over one field. */
export type Rule<T> = (value: unknown) => value is T
/** Rules for all fields of `T`; the compiler rejects a record with an unchecked field. */
export type Rules<T> = { readonly [K in keyof T]-?: Rule<T[K]> }

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export const flag: Rule<boolean> = (value): value is boolean => typeof value === 'boolean'

export function optional<T>(rule: Rule<T>): Rule<T | undefined> {
  return (value): value is T | undefined => value === undefined || rule(value)
}

export function list<T>(rule: Rule<T>): Rule<readonly T[]> {
  return (value): value is readonly T[] =>
    // `Array.from` fills holes, which `every` would skip.
    Array.isArray(value) && Array.from<unknown>(value).every(rule)
}

/** Returns the name of the first missing, invalid or unknown field; undefined if the record is valid. */
export function firstWrongField<T>(rules: Rules<T>, value: unknown): string | undefined {
  if (!isObject(value)) return '(not an object)'
  // Own fields only: inherited properties are not part of the record.
  for (const field in rules) if (!rules[field](Object.hasOwn(value, field) ? value[field] : undefined)) return field
  return Object.keys(value).find(field => !Object.hasOwn(rules, field))
}

export function record<T>(rules: Rules<T>): Rule<T> {
  return (value): value is T => firstWrongField(rules, value) === undefined
}
