import { describe, expect, it } from 'vitest'
import { atLeast, atMost, tally, verdictLine } from '../src/budgets.mjs'
import { parseOptions } from '../src/options.mjs'
import { summarize } from '../src/renders.mjs'
import { comparison, reportRenders } from '../src/reports.mjs'
import { gzipBytes, initialChunks } from '../src/sizes.mjs'
import { highest, median, percentile } from '../src/stats.mjs'
import { asMarkdown, asText, figure } from '../src/table.mjs'

describe('figures', () => {
  it('median returns the middle value, or the mean of the two middle values', () => {
    expect(median([9, 1, 5])).toBe(5)
    expect(median([10, 1, 2, 4])).toBe(3)
  })

  it('percentile returns a measured value', () => {
    const hundred = Array.from({ length: 100 }, (_, index) => 100 - index)
    expect([percentile(hundred, 50), percentile(hundred, 99), percentile([7], 99)]).toEqual([50, 99, 7])
  })

  it('median, highest and percentile return undefined for an empty list, and figure shows a dash', () => {
    expect([median([]), highest([]), percentile([], 50), figure(undefined)]).toEqual([
      undefined,
      undefined,
      undefined,
      '–',
    ])
  })

  it('measures sizes as gzip -9 bytes', () => {
    // printf 'x%.0s' $(seq 1000) | gzip -9n | wc -c
    expect(gzipBytes('x'.repeat(1000))).toBe(29)
  })

  it('counts each chunk once that the entry imports statically as initial', () => {
    const chunk = (fileName: string, imports: string[] = [], isEntry = false) => ({ fileName, imports, isEntry })
    const chunks = [
      chunk('lazy', ['shared']),
      chunk('shared', ['entry']),
      chunk('a', ['shared']),
      chunk('entry', ['a', 'shared', 'react'], true),
    ]
    expect(initialChunks(chunks).map(({ fileName }) => fileName)).toEqual(['entry', 'a', 'shared'])
  })
})

describe('budgets', () => {
  it('a budget is missed when its value was not measured', () => {
    expect(atMost('a', undefined, 1).met).toBe(false)
    expect(atLeast('a', undefined, 0).met).toBe(false)
  })

  it('a value at its limit meets the budget, and the verdict names both', () => {
    expect(verdictLine(atMost('size', 9, 9, 'KiB'))).toBe('  met     size: 9 KiB (at most 9 KiB)')
    expect(verdictLine(atLeast('transfers', 1499.5, 1500, 'per second'))).toBe(
      '  MISSED  transfers: 1499.50 per second (at least 1,500 per second)',
    )
    expect(tally([atMost('a', 1, 1), atMost('b', 2, 1)])).toBe('1 budgets met, 1 missed')
  })
})

describe('tables', () => {
  const table = {
    head: ['kit', 'KiB'],
    rows: [
      ['floor', '1.2'],
      ['wallet-adapter', '123.8'],
    ],
  }

  it('aligns the figures of a table to the right in the terminal', () => {
    expect(asText(table).split('\n')).toEqual([
      '  kit               KiB',
      '  ──────────────  ─────',
      '  floor             1.2',
      '  wallet-adapter  123.8',
    ])
  })

  it('writes a table as markdown', () => {
    expect(asMarkdown(table)).toBe('| kit | KiB |\n| --- | --: |\n| floor | 1.2 |\n| wallet-adapter | 123.8 |')
  })
})

describe('the report on renders', () => {
  const events = { settled: 1, unconnectedChange: 0, registerRenders: [1, 1], connectedChange: 0 }
  const page = { evalMs: 20, listedMs: 100, registerMs: [1, 3], errors: [] }
  const entries = parseOptions(['keybay', 'floor']).entries

  it('the report on renders shows median times and the highest number of renders', () => {
    const visits = [
      { ...page, events },
      {
        ...page,
        evalMs: 40,
        registerMs: [5, undefined],
        events: { ...events, settled: 2, connectedChange: undefined },
      },
    ]
    expect(summarize('keybay', 10, visits)).toMatchObject({
      evalMs: 30,
      registerMs: 3,
      settled: 2,
      missed: 1,
      connectedChange: undefined,
    })
  })

  it('the report on renders compares with the floor of the same run and list length', () => {
    const ours = summarize('keybay', 10, [{ ...page, events }])
    const slow = summarize('floor', 10, [{ ...page, registerMs: [1.5], events }])
    const fast = summarize('floor', 100, [{ ...page, registerMs: [0.1], events }])
    const ratio = reportRenders(entries, [ours, fast, slow]).verdicts.find(({ unit }) => unit === 'times the floor')
    expect(ratio).toMatchObject({ met: false, limit: 1.3 })
    expect(ratio?.value).toBeCloseTo(2 / 1.5)
  })

  it('the comparison shows that a kit missed a registration', () => {
    const missing = summarize('floor', 10, [{ ...page, registerMs: [undefined], events }])
    expect(comparison(entries, new Map(), [missing]).rows).toContainEqual([
      'no kit: @wallet-standard/app',
      '–',
      '20',
      '100',
      'missed',
      '1 / 0 / 0 / –',
    ])
  })
})

describe('the command line', () => {
  it('the bench command lists the valid names when a name is unknown', () => {
    expect(() => parseOptions(['nonesuch'])).toThrow(/There is no nonesuch[\s\S]*wallet-adapter/)
    expect(() => parseOptions(['--only', 'speed'])).toThrow(/There is no speed/)
    expect(() => parseOptions(['--fast'])).toThrow(/--quick/)
  })

  it('the bench command measures everything unless options select less', () => {
    expect(parseOptions([])).toMatchObject({
      quick: false,
      sections: new Set(['sizes', 'renders', 'services', 'cost', 'waas', 'sign-up', 'custody', 'transfers', 'page']),
    })
    const { entries, sections } = parseOptions(['wagmi', 'floor', '--only', 'sizes', '--quick'])
    expect(entries.map(({ name }) => name)).toEqual(['floor', 'wagmi'])
    expect([...sections]).toEqual(['sizes'])
  })
})
