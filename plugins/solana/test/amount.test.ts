import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatSol, parseSol } from '../src/index.js'

const MAX = 2n ** 64n - 1n
const refused = expect.objectContaining({ code: 'amount_invalid' })

describe('amounts', () => {
  it('[S9.6] 1 SOL is 1,000,000,000 lamports', () => {
    expect(parseSol('1')).toBe(1_000_000_000n)
    expect(parseSol('0.000000001')).toBe(1n)
    expect(parseSol(' 1.5 ')).toBe(1_500_000_000n)
    expect(formatSol(1_500_000_000n)).toBe('1.5')
    expect(formatSol(10_000_000_000n)).toBe('10')
    expect(formatSol(0n)).toBe('0')
  })
  it('a formatted amount parses to the same amount, for every amount the chain can hold', () => {
    fc.assert(fc.property(fc.bigInt({ min: 0n, max: MAX }), lamports => parseSol(formatSol(lamports)) === lamports))
  })
  it.each([
    '',
    ' ',
    '.',
    '1.',
    '.5',
    '-1',
    '+1',
    '1e9',
    '0x10',
    '1,5',
    '1.0000000001',
    '18446744073.709551616',
    'NaN',
    '１',
  ])('refuses %j as an amount of SOL', text => expect(() => parseSol(text)).toThrow(refused))
  it('parses only plain decimal numbers as amounts', () => {
    fc.assert(
      fc.property(fc.string(), text => {
        fc.pre(!/^\s*\d{1,11}(\.\d{1,9})?\s*$/.test(text))
        expect(() => parseSol(text)).toThrow(refused)
      }),
    )
  })
  it('refuses to format an amount that the chain cannot hold', () => {
    expect(() => formatSol(-1n)).toThrow(refused)
    expect(() => formatSol(MAX + 1n)).toThrow(refused)
  })
})
