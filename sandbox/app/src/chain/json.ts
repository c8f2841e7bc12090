/** Reading answers of a node: nothing is believed to be there, and what is not is undefined. */

/** Follows own properties only. */
export const at = (value: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key) ? Reflect.get(inner, key) : undefined,
    value,
  )
export const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
export const number = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)
export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
export const texts = (value: unknown): readonly string[] => list(value).filter(one => typeof one === 'string')
