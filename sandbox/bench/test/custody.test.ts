import { expect, it } from 'vitest'
import { reportCustody } from '../src/custody.mjs'

function figures(requests: number, perCore: number) {
  return {
    click: { ms: 12, requests },
    polled: { ms: 512, requests: requests + 1 },
    service: { p50Ms: 9, ms: 1000 / perCore, perCore },
    bare: 10_000,
  }
}

function met(...given: Parameters<typeof figures>) {
  return reportCustody(figures(...given)).verdicts.map(verdict => verdict.met)
}

it('compares requests and processor time of a custody signature with their budgets', () => {
  expect(met(1, 20)).toEqual([true, true, true])
  expect(met(2, 19)).toEqual([false, false, false])
  expect(reportCustody(figures(1, 100)).tables[1]?.table.rows[0]?.slice(2)).toEqual(['10.00', '100', '10000', '100'])
})

it('all custody budgets are missed when nothing was measured', () => {
  expect(reportCustody(undefined).verdicts.map(verdict => verdict.met)).toEqual([false, false, false])
})
