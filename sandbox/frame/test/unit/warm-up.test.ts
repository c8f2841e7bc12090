import { expect, it, vi } from 'vitest'
import { prepareFrame } from '../../src/page/operations/warm-up.js'

it('before the sign-in, loads the relay’s keys and opens the storage, and ignores their errors', async () => {
  const away = () => Promise.reject(new Error('away'))
  const parts = { relayKeys: vi.fn(away), store: { open: vi.fn(away) } }
  prepareFrame(parts)
  expect([parts.relayKeys.mock.calls.length, parts.store.open.mock.calls.length]).toEqual([1, 1])
  await Promise.allSettled(
    [...parts.relayKeys.mock.results, ...parts.store.open.mock.results].map(({ value }) => value),
  )
})
