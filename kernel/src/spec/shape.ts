/** Reads values of unknown shape. The page controls storage and messages, so their content is checked. */
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
 * Reads one field of an object or function; returns undefined for any other value.
 *
 * @example const code = field(thrown, 'code')
 */
export function field(value: unknown, name: string): unknown {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
    ? Reflect.get(value, name)
    : undefined
}

/**
 * Returns undefined if the callback throws, because property access on foreign objects may throw.
 *
 * @param onThrow receives what the callback threw
 */
export function quietly<T>(run: () => T, onThrow?: (error: unknown) => void): T | undefined {
  try {
    return run()
  } catch (error) {
    onThrow?.(error)
    return undefined
  }
}
