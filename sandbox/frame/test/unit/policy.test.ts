/** Tests the relay's rules in words: what a user reads when a rule requires consent, or refuses. */
import type { Policy } from '@keybay/waas/protocol'
import { inWords, readReason } from '@keybay/waas/relay-client'
import { describe, expect, it } from 'vitest'
import { rulesInWords } from '../../src/page/chains/solana/rules.js'
import { trustInWords } from '../../src/page/operations/delegate.js'

const PROGRAM = 'Stake11111111111111111111111111111111111111'
const SYSTEM = '11111111111111111111111111111111'
const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const MEMO = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'

it('the words of trust name everyone who could move everything together: with one relay, and with two', () => {
  expect(trustInWords(false)).toBe(
    'Its operator and the wallet service together could move everything. A company that runs both could do so alone.',
  )
  expect(trustInWords(true)).toBe(
    'Its operator and both wallet services together could move everything. A company that runs all three could do so alone.',
  )
})

describe('rules in words', () => {
  const inRules = (rule: Omit<Policy['programs'][number], 'programId'>, programId = SYSTEM) =>
    rulesInWords({ dailyLimit: 1_000_000n, programs: [{ programId, ...rule }], destinations: [], messages: false })

  it('the rules in words list everything that a policy allows, in its order', () => {
    const programs = [{ programId: SYSTEM, instructions: ['02000000'] }, { programId: MEMO }]
    expect(rulesInWords({ transactionLimit: 5n, programs, destinations: [PROGRAM], messages: true })).toEqual({
      sentences: [
        'No limit a day.',
        'At most 0.000000005 SOL at once.',
        `Program System (${SYSTEM}): Transfer.`,
        `Program Memo (${MEMO}): all.`,
        `It may pay ${PROGRAM}.`,
        'It may sign messages.',
      ],
      problems: [],
    })
    const mint = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
    const tokens = [
      { mint, decimals: 6, dailyLimit: 25_500_000n },
      { mint: PROGRAM, decimals: 0, dailyLimit: 7n },
    ]
    const granted = rulesInWords({ programs: [], messages: false, otherwise: 'ask', tokens }).sentences
    expect(granted).toContain(`At most 25.5 a day of the token USDC (${mint}).`)
    expect(granted).toContain(`At most 7 a day of the token ${PROGRAM}.`)
    expect(rulesInWords({ programs: [], messages: false }).sentences).toContain('Programs: none.')
    expect(rulesInWords(null).sentences).toEqual(['The rules end. The wallet asks before each signature.'])
  })

  it.each([
    [SYSTEM, '01000000', 'Assign', 'System'],
    [SYSTEM, '01', 'Assign', 'System'],
    [SYSTEM, '05000000', 'WithdrawNonceAccount', 'System'],
    [SYSTEM, '0a000000', 'AssignWithSeed', 'System'],
    [SYSTEM, '01000001', '0x01000001', 'System'],
    [SYSTEM, '63000000', '0x63000000', 'System'],
    [TOKEN, '03', 'Transfer', 'Token'],
    [TOKEN, '04ff', 'Approve', 'Token'],
    [TOKEN, '06', 'SetAuthority', 'Token'],
    [TOKEN, '09', 'CloseAccount', 'Token'],
    [TOKEN, 'ff', '0xff', 'Token'],
  ])('the rules of program %s warn of instruction %s, which no limit binds: %s', (programId, start, named, program) => {
    const { sentences, problems } = inRules({ instructions: ['02000000', start] }, programId)
    expect(sentences[2]).toContain(`Program ${program} (${programId}): `)
    expect(sentences[2]).toContain(`, ${named}.`)
    expect(problems).toEqual([
      expect.stringMatching(`^No limit binds .*${named} of ${program}: it can take everything\\.$`),
    ])
  })

  it.each([
    [SYSTEM, ['02000000', '00000000', '04000000'], 'Transfer, CreateAccount, AdvanceNonceAccount'],
    [TOKEN, ['0c', '12'], 'TransferChecked, InitializeAccount3'],
    [MEMO, ['68'], '0x68'],
    [SYSTEM, [], 'nothing'],
    [SYSTEM, undefined, 'all that the limits count'],
  ])('the rules of program %s do not warn of the instructions %j', (programId, instructions, named) => {
    const { sentences, problems } = inRules({ instructions }, programId)
    expect(sentences[2]).toMatch(new RegExp(`: ${named}\\.$`))
    expect(problems).toEqual([])
  })

  it('the rules in words warn of a program without a limit, and say that limits do not cover tokens', () => {
    expect(inRules({ uncapped: true }, PROGRAM).problems).toEqual([
      `No limit binds Stake (${PROGRAM}): it can take everything.`,
    ])
    expect(inRules({}, TOKEN).sentences).toContain('The limits are of SOL: tokens have none.')
    expect(inRules({}).sentences).not.toContain('The limits are of SOL: tokens have none.')
  })
})

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
  ])('describes the refusal reason %o in words', (reason, words) => {
    expect(readReason(reason)).toEqual(reason)
    expect(inWords(reason)).toBe(words)
  })

  it('ignores a refusal reason of another shape from a relay', () => {
    for (const details of [undefined, null, {}, { rule: 'Send all' }, { rule: 'daily-limit', limit: '1 SOL' }])
      expect(readReason(details)).toBeUndefined()
    expect(readReason({ rule: 'program', program: '<b>x</b>' })).toBeUndefined()
  })
})
