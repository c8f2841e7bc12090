import { describe, expect, it } from 'vitest'
import { readRows } from './main.mjs'
import { format, getTags, prove } from './proof.mjs'

const rows = { 'S5.4': { text: 'address' }, 'S5.5': { text: 'destination' }, 'S9.1': { text: 'times' } }

function withStatus(status: string) {
  return (name: string) => ({ name, status })
}
const pass = withStatus('passed')
const fail = withStatus('failed')

describe('tags', () => {
  // Built from pieces: a literal tag in this file's test names would itself count.
  const tag = (ids: string) => `[${ids}]`
  it.each([
    ['one', tag('S5.4'), ['S5.4']],
    ['two side by side', tag('S5.4') + tag('S5.5'), ['S5.4', 'S5.5']],
    ['two in one', tag('S5.4, S5.5'), ['S5.4', 'S5.5']],
    ['two in one without a space', tag('S5.4,S5.5'), ['S5.4', 'S5.5']],
    ['none', 'S5.4 without brackets, [s5.4], [Solana]', []],
  ])('reads the row ids of a test name with tags: %s', (_, name, ids) =>
    expect(getTags(`a group ${name} does so`)).toEqual(ids),
  )
})

describe('proof', () => {
  it('only a passing test proves a row', () => {
    const result = prove(rows, [pass('[S5.4] refuses'), fail('[S5.5] refuses')])
    expect(result).toEqual({
      'S5.4': { text: 'address', tests: ['[S5.4] refuses'], proved: true, problems: [] },
      'S5.5': { text: 'destination', tests: [], proved: false, problems: ['failed: [S5.5] refuses'] },
      'S9.1': { text: 'times', tests: [], proved: false, problems: ['no test'] },
    })
  })
  it.each(['failed', 'skipped', 'todo', 'pending'])('a %s test next to a passing one takes its row out', status => {
    const { 'S5.4': row } = prove(rows, [pass('[S5.4] refuses'), withStatus(status)('[S5.4] refuses another')])
    expect(row).toMatchObject({ proved: false, problems: [`${status}: [S5.4] refuses another`] })
  })
  it('a test that passes in one project and fails in another takes its row out', () => {
    const message = { message: 'Oh', condition: 'when', test: '[S5.4] says Oh' }
    const tests = [pass('[S5.4] says Oh'), fail('[S5.4] says Oh')]
    expect(prove({ 'S5.4': { text: 'address' } }, tests)['S5.4']?.proved).toBe(false)
    expect(prove({ ...rows, 'S9.1': { text: 'times', messages: [message] } }, tests)['S9.1']?.proved).toBe(false)
  })
  it('a test file without a result takes out the rows that it claims, and no other', () => {
    const untested = [{ file: 'kernel/test/late.test.ts', ids: ['S5.5'] }]
    const result = prove(rows, [pass('[S5.4] refuses'), pass('[S5.5] refuses')], untested)
    expect(result['S5.4']?.proved).toBe(true)
    expect(result['S5.5']).toMatchObject({
      proved: false,
      problems: ['no result of this state: kernel/test/late.test.ts'],
    })
  })
  it('a row of cases needs a passing test of each, by its whole name', () => {
    const list = { 'S5.4': { text: 'lists', cases: ['connect', 'signMessage', 'a/b (c)'] } }
    const tests = [pass('[S5.4] connect works'), pass('[S5.4] signMessageTwice, a/b (c)')]
    expect(prove(list, tests)['S5.4']?.problems).toEqual(['no passing test of: signMessage'])
    expect(prove(list, [...tests, fail('[S5.4] signMessage')])['S5.4']?.proved).toBe(false)
    expect(prove(list, [...tests, pass('signMessage without the tag')])['S5.4']?.proved).toBe(false)
    expect(prove(list, [...tests, pass('[S5.4] signMessage works')])['S5.4']?.proved).toBe(true)
  })
  it('names a test once for a row that the test name contains twice', () => {
    expect(prove(rows, [pass('[S5.4] group [S5.4] refuses')])['S5.4']?.tests).toHaveLength(1)
  })
  it('names every unknown tag with its test, including failed tests', () => {
    expect(() => prove(rows, [pass('[S5.4, S5.99] a'), fail('[S12] b')])).toThrow(
      /\[S5\.99\] in "\[S5\.4, S5\.99\] a"\n.*\[S12\] in "\[S12\] b"/,
    )
  })
  it('a row of messages is proved when each message is raised by the test that the message names', () => {
    const message = { message: 'Oh', condition: 'when', test: '[S9.1] says Oh' }
    const withMessages = (test: string | null) => ({
      'S9.1': { text: 'times', messages: [message, { ...message, message: 'Ah', test }] },
    })
    const tests = [pass('[S9.1] says Oh'), pass('[S9.1] says Ah')]
    const problems = ['no passing test of: “Ah” (when)']
    expect(prove(withMessages('[S9.1] says Ah'), tests)['S9.1']).toMatchObject({ proved: true, problems: [] })
    expect(prove(withMessages(null), tests)['S9.1']).toMatchObject({ proved: false, problems })
    expect(prove(withMessages('[S9.1] says Eh'), tests)['S9.1']).toMatchObject({ proved: false, problems })
  })
})

describe('report', () => {
  it('the report lists each row that is not proved, why not, and the total', () => {
    expect(format(prove(rows, [pass('[S5.5] refuses'), fail('[S5.4] refuses')]))).toBe(
      [
        'S5.4   address',
        '         failed: [S5.4] refuses',
        'S9.1   times',
        '         no test',
        '',
        '1 of 3 rows proved, 2 not proved',
      ].join('\n'),
    )
  })
  it('the report names what is typed only, with the reason', () => {
    const typed = { 'S5.4': { text: 'lists', typedOnly: { units: 'nothing here lasts days' } } }
    expect(format(prove(typed, [pass('[S5.4] lists')]))).toBe(
      '\nTyped only, no shipped code uses them:\nS5.4   units: nothing here lasts days\n\n1 of 1 rows proved, 0 not proved',
    )
  })
})

describe('rows.json', () => {
  const all = readRows()
  it('rows.json has every row, section by section', () => {
    // The specification has nine sections; the others are rows of this project.
    const counts = [18, 8, 10, 13, 16, 4, 7, 9, 13, 5, 4, 3, 7]
    expect(Object.keys(all)).toEqual(
      counts.flatMap((n, s) => Array.from({ length: n }, (_, i) => `S${s + 1}.${i + 1}`)),
    )
    for (const { text } of Object.values(all)) expect(text.length).toBeGreaterThan(2)
  })
  it('rows.json gives each of the 18 messages its condition', () => {
    const messages = all['S8.3']?.messages ?? []
    expect(new Set(messages.map(({ message }) => message)).size).toBe(18)
    for (const { condition } of messages) expect(condition).not.toBe('')
  })
  it.each([
    ['S2.7', 6],
    ['S3.1', 19],
    ['S3.7', 12],
    ['S7.3', 22],
    ['S8.2', 19],
    ['S8.4', 4],
    ['S8.7', 4],
    ['S11.2', 5],
    ['S11.3', 3],
    ['S12.1', 4],
    ['S12.2', 6],
    ['S12.3', 8],
    ['S13.7', 3],
  ])('rows.json lists the cases of %s: %i', (id, count) => {
    expect(new Set(all[id]?.cases).size).toBe(count)
  })
})
