/** Reads values of unknown shape. Storage and messages belong to the page, so what comes back is checked. */
type Kind = 'string' | 'number' | 'object'

/** @example hasShape<StoredAttempt>(value, { connectorId: 'string', method: 'string', startedAt: 'number' }) */
export function hasShape<T extends object>(value: unknown, shape: { readonly [K in keyof T]?: Kind }): value is T {
  return (
    typeof value === 'object' &&
    value !== null &&
    // `typeof null` is 'object'
    Object.entries(shape).every(([key, kind]) => typeof (Reflect.get(value, key) ?? undefined) === kind)
  )
}

/**
 * Reads one field of an object or function; undefined for any other value.
 *
 * @example const code = field(thrown, 'code')
 */
export function field(value: unknown, name: string): unknown {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
    ? Reflect.get(value, name)
    : undefined
}

/** Returns undefined if the callback throws; foreign objects may throw on access. */
export function quietly<T>(run: () => T): T | undefined {
  try {
    return run()
  } catch {
    return undefined
  }
}
