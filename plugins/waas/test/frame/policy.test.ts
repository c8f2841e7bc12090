/** The relay's rules in words: what a person reads where a rule asks for them, or refuses. */
import { describe, expect, it } from 'vitest'
import { inWords, readReason } from '../../src/frame/policy/words.js'

const PROGRAM = 'Stake11111111111111111111111111111111111111'

describe('a reason in words', () => {
  it.each([
    [
      { rule: 'daily-limit', limit: '1000000000', wanted: '2000005000' },
      'At most 1 SOL pass in 24 hours; with this transaction it would be 2.000005 SOL.',
    ],
    [
      { rule: 'transaction-limit', limit: '100000000', wanted: '200000000' },
      'At most 0.1 SOL pass in one transaction; this one takes up to 0.2 SOL.',
    ],
    [{ rule: 'program', program: PROGRAM }, `The program ${PROGRAM} is not among those that may be used.`],
    [{ rule: 'destination', program: PROGRAM, address: PROGRAM }, `${PROGRAM} is not among those who may be paid.`],
    [{ rule: 'one-to-come' }, 'The service’s rule “one-to-come” does not let it pass.'],
  ])('%o', (reason, words) => {
    expect(readReason(reason)).toEqual(reason)
    expect(inWords(reason)).toBe(words)
  })

  it('is none where a relay says something of another shape', () => {
    for (const details of [undefined, null, {}, { rule: 'Send all' }, { rule: 'daily-limit', limit: '1 SOL' }])
      expect(readReason(details)).toBeUndefined()
    expect(readReason({ rule: 'program', program: '<b>x</b>' })).toBeUndefined()
  })
})
