/**
 * Tests the keys that the frame seals for: R1 reports R2's key, and the frame's host can pin another key that overrides
 * it.
 */
import type { RelayClient } from '@keybay/waas/relay-client'
import * as v from 'valibot'
import { expect, it } from 'vitest'
import { fetchRelayKeys } from '../../src/page/ceremony/boxes.js'

const [first, second, hostile] = [1, 2, 3].map(byte => Buffer.alloc(32, byte).toString('base64url'))

function answering(sealingKey = ''): Pick<RelayClient, 'get'> {
  return {
    get: async (_, schema) => v.parse(schema, { party: 'R1', sealingKey: first, peer: { party: 'R2', sealingKey } }),
  }
}
const pinned = [
  { party: 'R1', sealingKey: first },
  { party: 'R2', sealingKey: second },
] as const

it('uses the relay key that R1 returns if the host pins none', async () => {
  const keys = await fetchRelayKeys(answering(second), [{ party: 'R1' }, { party: 'R2' }])
  expect([...keys.keys()]).toEqual(['R1', 'R2'])
  expect(keys.get('R2')).toEqual(new Uint8Array(32).fill(2))
})

it('accepts only the relay key that the host has pinned, and seals nothing for another key', async () => {
  expect((await fetchRelayKeys(answering(second), pinned)).get('R2')).toEqual(new Uint8Array(32).fill(2))
  await expect(fetchRelayKeys(answering(hostile), pinned)).rejects.toMatchObject({
    code: 'frame_relay_answer_wrong',
    message: expect.stringContaining('another key of R2'),
  })
})
