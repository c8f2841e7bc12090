import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '@keybay/sandbox-service/testing/temporary-folder'
import { beforeEach, describe, expect, it } from 'vitest'
import { getTags, main, prove, readRows, readTests, report, unraised } from './main.mjs'

const rows = { 'S5.4': { text: 'address' }, 'S5.5': { text: 'destination' }, 'S9.1': { text: 'times' } }

function pass(name: string) {
  return { name, passed: true }
}

function fail(name: string) {
  return { name, passed: false }
}

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
      'S5.4': { text: 'address', tests: ['[S5.4] refuses'], proved: true },
      'S5.5': { text: 'destination', tests: [], proved: false },
      'S9.1': { text: 'times', tests: [], proved: false },
    })
  })
  it('counts a test once for a row that the test name contains twice', () => {
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
    const tests = [pass('[S9.1] says Oh'), fail('[S9.1] says Ah')]
    expect(prove(withMessages('[S9.1] says Oh'), tests)['S9.1']?.proved).toBe(true)
    expect(prove(withMessages(null), tests)['S9.1']?.proved).toBe(false)
    expect(prove(withMessages('[S9.1] says Ah'), tests)['S9.1']?.proved).toBe(false)
    expect(unraised(withMessages('[S9.1] says Ah'), tests).map(({ message }) => message)).toEqual(['Ah'])
  })
})

describe('report', () => {
  it('the report lists each row without a passing test and the total', () => {
    expect(report(rows, [pass('[S5.5] refuses')], false)).toBe(
      'S5.4   address\nS9.1   times\n\n1 of 3 rows proved, 2 with no passing test',
    )
  })
  it('the report prints exactly one object as JSON', () => {
    expect(JSON.parse(report(rows, [pass('[S5.5] refuses')], true))).toEqual(prove(rows, [pass('[S5.5] refuses')]))
  })
})

describe('rows.json', () => {
  const all = readRows()
  it('rows.json has every row, section by section', () => {
    const counts = [18, 8, 10, 13, 16, 4, 7, 9, 13]
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
})

describe('command', () => {
  let root: string
  beforeEach(() => {
    root = temporaryFolder()
  })

  const write = (folder: string, ...assertionResults: { fullName: string; status: string }[]) => {
    const path = join(root, folder, '.reports', 'vitest.json')
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, JSON.stringify({ testResults: [{ assertionResults }] }))
  }

  it('reads the test reports of kernel, react, every plugin and every service', () => {
    for (const folder of ['kernel', 'react', 'plugins/solana', 'sandbox/chain', 'elsewhere'])
      write(folder, { fullName: `of ${folder}`, status: 'passed' }, { fullName: 'later', status: 'skipped' })
    const tests = readTests(root)
    expect(tests.filter(test => test.passed).map(test => test.name)).toEqual(
      ['kernel', 'react', 'plugins/solana', 'sandbox/chain'].map(folder => `of ${folder}`),
    )
    expect(tests).toHaveLength(8)
  })
  it('says to run npm test first when there are no test reports', () => {
    expect(() => readTests(root)).toThrow('run npm test first')
    expect(main([], root)).toBe(1)
  })
  it('the conformance command runs standalone, with the latest reports of this repository or with none', () => {
    const path = fileURLToPath(new URL('./main.mjs', import.meta.url))
    const { status, stdout, stderr } = spawnSync(process.execPath, [path, '--json'], { encoding: 'utf8' })
    if (status === 0) expect(Object.keys(JSON.parse(stdout))).toEqual(Object.keys(readRows()))
    else expect(stderr).toMatch(/run npm test first|No such row/)
  })
})
