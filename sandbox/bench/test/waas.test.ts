import { describe, expect, it } from 'vitest'
import { summarizeTurns } from '../src/messages.mjs'
import { reportWaas } from '../src/waas.mjs'

function turn(alone: readonly [number, number, number], crowded: readonly [number, number, number]) {
  return {
    alone: { raw: alone[0], keybay: alone[1], penpal: alone[2] },
    crowded: { raw: crowded[0], keybay: crowded[1], penpal: crowded[2] },
  }
}

describe('messages', () => {
  it('compares message times within each turn, so slow and fast turns count the same', () => {
    const turns = [turn([1, 1.2, 1], [10, 20, 10]), turn([10, 12, 10], [1, 2, 1]), turn([2, 6, 2], [10, 5, 10])]
    expect(summarizeTurns(turns)).toMatchObject({
      aloneMs: { raw: 2, keybay: 6, penpal: 2 },
      crowdedPerSecond: { raw: 10, keybay: 5, penpal: 10 },
      toRaw: 1.2,
      toPenpal: 2,
    })
  })
})

describe('the report on embedded wallets', () => {
  const signing = (faster: number) => ({ oursMs: 4, plainMs: 4 * faster, faster })

  it('compares every figure of embedded wallets with its budget', () => {
    const messages = summarizeTurns([turn([1, 1.3, 1], [10, 10, 10])])
    const report = reportWaas({
      messages,
      signing: { TWO_OF_TWO: signing(6), TWO_OF_THREE: signing(5.9) },
      relay: { noble: 400, libsodium: 2_800, service: 799, plainMs: 23 },
      first: { longestMs: 50, loadMs: 90, signMs: 30 },
    })
    expect(report.verdicts.map(({ met }) => met)).toEqual([true, true, true, false, true, true, false])
    expect(report.tables[0]?.table.rows[1]?.slice(1)).toEqual(['1300', '10'])
  })

  it('shows what a relay would reach on the reference machine, and judges its figures on this machine', () => {
    const { tables, verdicts } = reportWaas({
      messages: undefined,
      signing: { TWO_OF_TWO: signing(6), TWO_OF_THREE: signing(6) },
      first: undefined,
      relay: { noble: 200, libsodium: 1_500, service: 500, plainMs: 46 },
    })
    expect(tables[2]?.title).toContain('2.00 times the 23 ms')
    expect(tables[2]?.table.rows.map(row => row.slice(1))).toEqual([
      ['200', '400'],
      ['1500', '3000'],
      ['500', '1000'],
    ])
    expect(verdicts.slice(-2).map(({ value, met }) => [value, met])).toEqual([
      [1_500, false],
      [500, false],
    ])
  })

  it('all budgets of embedded wallets are missed when nothing was measured', () => {
    expect(reportWaas(undefined).verdicts.map(({ met }) => met)).toEqual(Array.from({ length: 7 }, () => false))
  })
})
