/** Is this what we stored? Storage belongs to the page, so what comes back is checked. */
type Kind = 'string' | 'number' | 'object'

/** @example hasShape<StoredAttempt>(value, { connectorId: 'string', method: 'string', startedAt: 'number' }) */
export const hasShape = <T extends object>(value: unknown, shape: { readonly [K in keyof T]?: Kind }): value is T =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(shape).every(([key, kind]) => {
    const field: unknown = Reflect.get(value, key)
    return typeof field === kind && field !== null
  })

/** A snapshot's list without one connector's entry. */
export const without = <T extends { readonly connectorId: string }>(list: readonly T[], id: string): readonly T[] =>
  list.filter(({ connectorId }) => connectorId !== id)
