/**
 * Tests the keys that the frame seals for: R1 reports R2's key, which the frame's host has to pin.
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

it('takes no key of R2 from R1 if the host has pinned none, so that R1 cannot play R2', async () => {
  const keys = await fetchRelayKeys(answering(hostile), [{ party: 'R1' }])
  expect([...keys.keys()]).toEqual(['R1'])
})

it('accepts only the relay key that the host has pinned, and seals nothing for another key', async () => {
  expect((await fetchRelayKeys(answering(second), pinned)).get('R2')).toEqual(new Uint8Array(32).fill(2))
  await expect(fetchRelayKeys(answering(hostile), pinned)).rejects.toMatchObject({
    code: 'frame_relay_answer_wrong',
    message: expect.stringContaining('another key of R2'),
  })
})
