/** Tests of budgets for any database, PGlite or PostgreSQL. */
import { expect, it } from 'vitest'
import type { Query } from '../src/database/open.js'
import { type Budget, giveBack, spend } from '../src/database/windows.js'

export const TABLE = 'create table rate_limits (id text primary key, count integer not null, resets_at bigint not null)'

export function testBudgets(getQuery: () => Query): void {
  let nextId = 0
  const newBudget = (most: number, more: Partial<Budget> = {}): Budget => ({
    id: `budget ${nextId++}`,
    most,
    window: 1000,
    ...more,
  })
  const pay = (budgets: readonly Budget[], now = 0, mark?: string) => spend(getQuery(), { budgets, mark, now })

  it('concurrent requests get exactly what a budget holds', async () => {
    for (const others of [[], [newBudget(1000)]]) {
      const budgets = [newBudget(10), ...others]
      const waits = await Promise.all(Array.from({ length: 50 }, () => pay(budgets)))
      expect(waits.filter(wait => wait === undefined)).toHaveLength(10)
      expect(waits.filter(wait => wait === 1)).toHaveLength(40)
    }
  })
  it('a refused request spends the budgets before the one that refuses, and none after it', async () => {
    const [own, used, shared] = [newBudget(3), newBudget(1), newBudget(2)]
    await pay([used])
    await pay([own, used, shared])
    await pay([own, used, shared])
    expect(await pay([shared, newBudget(1)])).toBeUndefined()
    expect(await pay([shared, newBudget(1)])).toBeUndefined()
    expect(await pay([shared])).toBe(1)
    expect(await pay([own])).toBeUndefined()
    expect(await pay([own])).toBe(1)
  })
  it('of concurrent requests, those that a budget refuses spend none after it', async () => {
    const [own, shared] = [newBudget(2), newBudget(100)]
    await Promise.all(Array.from({ length: 50 }, () => pay([own, shared])))
    expect(await pay([{ ...shared, amount: 98 }])).toBeUndefined()
  })
  it('what a late request gives back after its window has ended frees nothing of the next window', async () => {
    const budget = newBudget(1)
    const spending = { budgets: [budget], now: 0 }
    expect(await pay([budget], 0)).toBeUndefined()
    expect(await pay([budget], 1000)).toBeUndefined()
    await giveBack(getQuery(), spending, { late: 0, refused: null })
    expect(await pay([budget], 1000)).toBe(1)
    await giveBack(getQuery(), { ...spending, now: 1000 }, { late: 0, refused: null })
    expect(await pay([budget], 1000)).toBeUndefined()
  })
  it('a budget is whole again after its window, and a wait is in seconds', async () => {
    const budget = newBudget(1, { window: 90_000 })
    expect(await pay([budget], 0)).toBeUndefined()
    expect(await pay([budget], 29_500)).toBe(61)
    expect(await pay([budget], 89_999)).toBe(1)
    expect(await pay([budget], 90_000)).toBeUndefined()
  })
  it('amounts count, and an amount above the whole budget is refused without spending it', async () => {
    const bytes = newBudget(100)
    expect(await pay([{ ...bytes, amount: 101 }])).toBe(1)
    expect(await pay([{ ...bytes, amount: 60 }])).toBeUndefined()
    expect(await pay([{ ...bytes, amount: 60 }])).toBe(1)
    expect(await pay([{ ...bytes, amount: 40 }])).toBeUndefined()
  })
  it('a reserve is for clients with a mark that has not expired', async () => {
    const [budget, mark] = [newBudget(1, { reserve: 1 }), newBudget(1)]
    await pay([mark])
    await pay([budget])
    expect(await pay([budget])).toBe(1)
    expect(await pay([budget], 0, 'another mark')).toBe(1)
    expect(await pay([budget], 0, mark.id)).toBeUndefined()
    expect(await pay([budget], 0, mark.id)).toBe(1)
    const [later, old] = [newBudget(0, { reserve: 1 }), newBudget(1)]
    await pay([old])
    expect(await pay([later], 1000, old.id)).toBe(1)
  })
}
