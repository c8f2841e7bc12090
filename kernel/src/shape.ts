/** Is this what we stored? Storage belongs to the page, so what comes back is checked. */
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

/** What others made may throw when it is touched: then there is nothing. */
export function quietly<T>(run: () => T): T | undefined {
  try {
    return run()
  } catch {
    return undefined
  }
}

/** A snapshot's list without one connector's entry. */
export function without<T extends { readonly connectorId: string }>(list: readonly T[], id: string): readonly T[] {
  return list.filter(({ connectorId }) => connectorId !== id)
}
