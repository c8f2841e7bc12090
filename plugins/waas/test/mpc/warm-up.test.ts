import { ed25519 } from '@noble/curves/ed25519.js'
import { expect, it, vi } from 'vitest'

const { Point } = ed25519
const { BASE } = Point
/** The library's own table has 2,080 points, which hold a page up longer. */
const MAX_POINTS = 1_300

/** Collects what the library keeps for the base point from now on. It fills a table after it kept it. */
function collectTables(): readonly (readonly object[])[] {
  const tables: object[][] = []
  const set = WeakMap.prototype.set
  vi.spyOn(WeakMap.prototype, 'set').mockImplementation(function record(this: WeakMap<WeakKey, unknown>, key, value) {
    if (key === BASE && Array.isArray(value)) tables.push(value)
    return set.call(this, key, value)
  })
  return tables
}

it('prepares a small table of the base point, once', async () => {
  vi.resetModules()
  const { warmUpBase } = await import('../../src/mpc/index.js')
  const tables = collectTables()
  warmUpBase()
  warmUpBase()
  vi.restoreAllMocks()
  const points = tables.flat().flatMap(table =>
    Object.values(table)
      .flat()
      .filter(value => value instanceof Point),
  )
  expect(points.length).toBeGreaterThan(0)
  expect(points.length).toBeLessThan(MAX_POINTS)
  expect(BASE.multiply(3n).equals(BASE.add(BASE.double()))).toBe(true)
})
