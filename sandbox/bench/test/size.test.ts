import { beforeAll, expect, it } from 'vitest'
import { parseOptions } from '../src/options.mjs'
import { SIZE_LIMIT, SOLANA_LIMIT } from '../src/reports.mjs'
import { KiB, measureSizes, type Size } from '../src/sizes.mjs'

let sizes: ReadonlyMap<string, Size>
const initial = (name: string) => (sizes.get(name)?.initial ?? Number.NaN) / KiB

beforeAll(async () => {
  sizes = await measureSizes(parseOptions(['keybay', 'keybay-solana']).entries)
})

it('lists, connects and signs within 9 KiB', () => {
  expect(initial('keybay')).toBeLessThanOrEqual(SIZE_LIMIT)
})

it('adds at most 1.2 KiB when Solana is registered, and brings web3.js only when it is used', () => {
  expect(initial('keybay-solana') - initial('keybay')).toBeLessThanOrEqual(SOLANA_LIMIT)
  expect(sizes.get('keybay-solana')?.packages.map(({ name }) => name)).not.toContain('@solana/web3.js')
  expect(sizes.get('keybay-solana')?.total).toBeGreaterThan(50 * KiB)
})
