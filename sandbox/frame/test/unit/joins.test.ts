/** Tests joins as a relay lists them. The codes that users compare are made from the keys of the joins. */
import { joinsSchema } from '@keybay/waas/relay-client'
import * as v from 'valibot'
import { expect, it } from 'vitest'

const key = 'A'.repeat(43)
const join = { joinId: 'j', setId: 's', kind: 'device', name: 'Tablet', deviceKey: key, sealingKey: key, expiresAt: 1 }

function isTaken(change: object) {
  return v.is(joinsSchema, { joins: [{ ...join, ...change }] })
}

it('accepts join keys of exactly 32 bytes', () => {
  expect(isTaken({})).toBe(true)
  for (const field of ['deviceKey', 'sealingKey'])
    for (const text of ['', 'A'.repeat(42), 'A'.repeat(44), `${'A'.repeat(42)}.`])
      expect(isTaken({ [field]: text }), field).toBe(false)
})
