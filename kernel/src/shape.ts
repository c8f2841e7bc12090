/** Checks of values from storage and wallets, which may be anything. */
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

/** Returns undefined if `run` throws: objects of wallets and hosts may throw on access. */
export function quietly<T>(run: () => T): T | undefined {
  try {
    return run()
  } catch {
    return undefined
  }
}
