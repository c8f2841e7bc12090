/** Tests the recovery code: enough randomness, one form however it is written, and detection of typos. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { looksLikeCode, newRecoveryCode, readRecoveryCode, unlockText } from '../../src/page/backup/recovery-code.js'

it('a recovery code has 30 random characters of 32 (150 bits), and every code is different', () => {
  const codes = Array.from({ length: 200 }, newRecoveryCode)
  expect(new Set(codes).size).toBe(200)
  for (const code of codes) expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){7}[0-9A-HJKMNP-TV-Z]{4}$/)
  const letters = new Set(codes.flatMap(code => [...code.replaceAll('-', '').slice(0, 30)]))
  expect(letters.size).toBe(32)
})

it('reads the same recovery code however a user writes it', () => {
  fc.assert(
    fc.property(fc.constantFrom('-', ' ', '', ' - '), fc.boolean(), (between, isLower) => {
      const code = newRecoveryCode()
      const typed = code.replaceAll('-', between).replaceAll('0', 'o').replaceAll('1', 'l')
      expect(readRecoveryCode(isLower ? typed.toLowerCase() : typed)).toBe(code)
      expect(unlockText(typed)).toBe(code)
    }),
  )
})

it('detects nearly every wrong character in a recovery code, and does not take a password for a code', () => {
  let unnoticed = 0
  for (let turn = 0; turn < 500; turn += 1) {
    const code = newRecoveryCode()
    const at = (turn % 8) * 5
    const other = code[at] === 'Z' ? 'Y' : 'Z'
    const slip = code.slice(0, at) + other + code.slice(at + 1)
    expect(looksLikeCode(slip)).toBe(true)
    if (readRecoveryCode(slip) !== undefined) unnoticed += 1
  }
  // About one in 1024 passes by chance.
  expect(unnoticed).toBeLessThan(10)
  expect(readRecoveryCode('correct horse battery staple')).toBeUndefined()
  expect(unlockText('correct horse')).toBe('correct horse')
})
