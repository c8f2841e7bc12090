import { describe, expect, it } from 'vitest'
import { reportApi } from '../src/api.mjs'
import { reportCustody } from '../src/custody.mjs'
import { summarizeTurns } from '../src/messages.mjs'
import { reportPageLoad } from '../src/page-load.mjs'
import { reportSignUp } from '../src/sign-up.mjs'
import { reportWaas } from '../src/waas.mjs'

it.each([
  ['custody', reportCustody, 3],
  ['embedded wallets', reportWaas, 11],
  ['the app’s first page', reportPageLoad, 5],
  ['a sign-up', reportSignUp, 1],
] as const)('all budgets of %s are missed when nothing was measured', (_, report, count) => {
  const missed = Array.from({ length: count }, () => ({ value: undefined, met: false }))
  expect(report(undefined).verdicts).toMatchObject(missed)
  expect(report(undefined).verdicts).toHaveLength(count)
})

it('reports session renewals beside the bare framework in the same run', () => {
  const load = (perCore: number) => ({ p50Ms: 1, p99Ms: 2, perCore })
  const { tables } = reportApi({
    api: { renewal: load(400), signIn: load(10) },
    bare: { renewal: load(1000), signIn: load(500) },
  })
  expect(tables[0]?.table.rows[0]).toEqual(['renewal of a session', '1.0', '2.0', '400', '1000', '0.400'])
})

it('compares requests and processor time of a custody signature with their budgets', () => {
  const report = (requests: number, perCore: number) =>
    reportCustody({
      click: { ms: 12, requests },
      polled: { ms: 512, requests: requests + 1 },
      service: { p50Ms: 9, ms: 1000 / perCore, perCore },
      bare: 10_000,
    })
  expect(report(1, 20).verdicts.map(({ met }) => met)).toEqual([true, true, true])
  expect(report(2, 19).verdicts.map(({ met }) => met)).toEqual([false, false, false])
  expect(report(1, 100).tables[1]?.table.rows[0]?.slice(2)).toEqual(['10.00', '100', '10000', '100'])
})

it('compares the 95th percentile of the sign-ups with its budget', () => {
  const report = (wallet: number) =>
    reportSignUp(Array.from({ length: 20 }, (_, index) => ({ session: 50, wallet: wallet + index })))
  const { tables, verdicts } = report(401)
  expect(tables[0]?.table.rows).toEqual([
    ['signed in', '50', '50'],
    ['wallet connected', '411', '419'],
  ])
  expect(verdicts.map(({ met }) => met)).toEqual([true])
  expect(report(482).verdicts.map(({ met }) => met)).toEqual([true])
  expect(report(483).verdicts.map(({ met }) => met)).toEqual([false])
})

it('compares the medians of the loads of the app with their budgets', () => {
  const load = (ms: number, transferredKb: number) => ({
    firstPaintMs: ms,
    largestPaintMs: ms,
    usableMs: ms,
    blockingMs: ms / 10,
    shift: 0,
    transferredKb,
    requests: 10,
  })
  const met = (...loads: readonly ReturnType<typeof load>[]) => reportPageLoad(loads).verdicts.map(({ met }) => met)
  expect(met(load(1000, 100), load(1500, 160), load(9000, 900))).toEqual([true, true, true, true, true])
  expect(met(load(2600, 161))).toEqual([false, false, false, true, false])
})

describe('the report on embedded wallets', () => {
  const lanes = ([raw, keybay, penpal]: readonly [number, number, number]) => ({ raw, keybay, penpal })
  const turn = (alone: Parameters<typeof lanes>[0], crowded: Parameters<typeof lanes>[0]) => ({
    alone: lanes(alone),
    crowded: lanes(crowded),
  })
  const signing = (faster: number) => ({ oursMs: 4, plainMs: 4 * faster, faster })

  it('compares message times within each turn, so slow and fast turns count the same', () => {
    const turns = [turn([1, 1.2, 1], [10, 20, 10]), turn([10, 12, 10], [1, 2, 1]), turn([2, 6, 2], [10, 5, 10])]
    expect(summarizeTurns(turns)).toMatchObject({
      aloneMs: { raw: 2, keybay: 6, penpal: 2 },
      crowdedPerSecond: { raw: 10, keybay: 5, penpal: 10 },
      toRaw: 1.2,
      toPenpal: 2,
    })
  })

  it('compares every figure of embedded wallets with its budget', () => {
    const messages = summarizeTurns([turn([1, 1.3, 1], [10, 10, 10])])
    const report = reportWaas({
      messages,
      signing: { TWO_OF_TWO: signing(6), TWO_OF_THREE: signing(5.9) },
      relay: {
        noble: 400,
        libsodium: 2_800,
        service: 799,
        ceremonies: { creationMs: 25, reshareMs: 22.1 },
        plainMs: 23,
        refusals: { large: 1, small: 0.1 },
      },
      first: { longestMs: 50, loadMs: 90, signMs: 30 },
    })
    expect(report.verdicts.map(({ met }) => met)).toEqual([
      ...[true, true, true, false, true, true, true, false],
      ...[false, true, false],
    ])
    expect(report.tables[0]?.table.rows[1]?.slice(1)).toEqual(['1300', '10'])
  })

  it('scales the bare co-signature and the ceremonies to the reference machine, and judges the service on this one', () => {
    const { tables, verdicts } = reportWaas({
      messages: undefined,
      signing: { TWO_OF_TWO: signing(6), TWO_OF_THREE: signing(6) },
      first: undefined,
      relay: {
        noble: 200,
        libsodium: 1_500,
        service: 500,
        ceremonies: { creationMs: 40, reshareMs: 30 },
        plainMs: 46,
        refusals: { large: 1.01, small: 0.1 },
      },
    })
    expect(tables[2]?.title).toContain('2.00 times the 23 ms')
    expect(tables[2]?.table.rows.map(row => row.slice(1))).toEqual([
      ['200', '400'],
      ['1500', '3000'],
      ['500', '1000'],
    ])
    expect(tables[3]?.table.rows.map(row => row.slice(1))).toEqual([
      ['40.0', '20.0'],
      ['30.0', '15.0'],
    ])
    expect(verdicts.slice(-6).map(({ value, met }) => [value, met])).toEqual([
      [3_000, true],
      [1.01, false],
      [500, false],
      [3, false],
      [20, true],
      [15, true],
    ])
  })
})
