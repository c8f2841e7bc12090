export { hasShape, quietly } from './spec/shape.js'

/** A snapshot's list without one connector's entry. */
export function without<T extends { readonly connectorId: string }>(list: readonly T[], id: string): readonly T[] {
  return list.filter(({ connectorId }) => connectorId !== id)
}
