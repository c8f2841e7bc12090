/** Tests joins as a relay lists them. The codes that users type are made from the keys of the joins. */
import { joinsSchema } from '@keybay/waas/relay-client'
import * as v from 'valibot'
import { expect, it } from 'vitest'
import { joinCode } from '../../src/page/operations/join-code.js'

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

it('the code of a join is four groups of six characters, each changed by either key', async () => {
  const code = await joinCode({ deviceKey: key, sealingKey: key })
  expect(code.join('-')).toMatch(/^([0-9A-HJKMNP-TV-Z]{6}-){3}[0-9A-HJKMNP-TV-Z]{6}$/)
  const other = 'B'.repeat(43)
  for (const keys of [
    { deviceKey: other, sealingKey: key },
    { deviceKey: key, sealingKey: other },
  ]) {
    const changed = await joinCode(keys)
    for (const [index, group] of changed.entries()) expect(group).not.toBe(code[index])
  }
})
