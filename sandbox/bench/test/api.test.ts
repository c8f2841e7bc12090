import { describe, expect, it } from 'vitest'
import { reportApi } from '../src/api.mjs'
import { percentile } from '../src/stats.mjs'

describe('percentiles', () => {
  it('percentile returns a measured value, and undefined for an empty list', () => {
    const hundred = Array.from({ length: 100 }, (_, index) => 100 - index)
    expect([percentile(hundred, 50), percentile(hundred, 99), percentile([7], 99)]).toEqual([50, 99, 7])
    expect(percentile([], 50)).toBeUndefined()
  })
})

describe('the report on the API', () => {
  const load = (perCore: number) => ({ p50Ms: 1, p99Ms: 2, perCore })
  const figures = (renewal: number) => ({
    api: { renewal: load(renewal), signIn: load(10) },
    bare: { renewal: load(1000), signIn: load(500) },
  })

  it('reports session renewals relative to the bare framework in the same run', () => {
    expect(reportApi(figures(400)).verdicts).toMatchObject([{ value: 0.4, met: true }])
    expect(reportApi(figures(399)).verdicts).toMatchObject([{ met: false }])
    expect(reportApi(figures(400)).tables[0]?.table.rows[0]).toEqual([
      'renewal of a session',
      '1.0',
      '2.0',
      '400',
      '1000',
      '0.400',
    ])
  })

  it('the API budget is missed when nothing was measured', () => {
    expect(reportApi(undefined).verdicts).toMatchObject([{ value: undefined, met: false }])
  })
})
