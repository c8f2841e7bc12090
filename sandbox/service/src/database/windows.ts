/** Rate limits shared by all instances: fixed windows, all limits of a request counted in one statement. */
import { bigint, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import * as v from 'valibot'
import type { Query } from './open.js'

export const rateLimits = pgTable(
  'rate_limits',
  {
    /** A hash, so that it identifies no user, address or network. */
    id: text('id').primaryKey(),
    count: integer('count').notNull(),
    /** ms since epoch */
    resetsAt: bigint('resets_at', { mode: 'number' }).notNull(),
  },
  table => [index('rate_limits_reset').on(table.resetsAt)],
)

export interface Limit {
  readonly most: number
  /** Length of the window, in ms. */
  readonly window: number
  /** Added to `most` for known clients, so that strangers cannot use it up. Default 0. */
  readonly reserve?: number
}

export interface Budget extends Limit {
  readonly id: string
  /** What the request takes from the budget. Default 1. */
  readonly amount?: number
}

export interface Spending {
  /** In the order in which they are spent: the client's own first, those that clients share last. */
  readonly budgets: readonly Budget[]
  /** IDs of marks; a client with one of them is known. */
  readonly marks?: readonly string[]
  /** ms since epoch */
  readonly now: number
}

/**
 * Common table expressions that spend budgets, for a statement that then does its own work: $1 budgets, $2 marks, $3 now
 * ({@link getSpendingValues}). The statement defines `admitted` before them, and nothing is spent unless it has a row.
 * `limited` has a row `until` for each budget that refuses; the statement's own work needs it to be empty.
 *
 * A budget is spent only if no earlier one refuses, so a flood that its own budgets refuse uses up no shared one. Of
 * concurrent requests that see the same count, the last part refuses those that come too late. They have spent: their rows
 * have the `place` of the budget, for {@link giveBack}.
 */
export const SPENDING = `
asked as (
  select * from jsonb_to_recordset($1::text::jsonb)
    as budget(place int, id text, amount int, most bigint, reserve bigint, period bigint)
), client as (
  select exists (
    select from rate_limits join jsonb_array_elements_text($2::text::jsonb) as mark on rate_limits.id = mark
    where resets_at > $3::bigint
  ) as is_known
), allowed as (
  select asked.*, most + case when is_known then reserve else 0 end as total from asked, client
), refused as (
  select place, case when resets_at > $3::bigint then resets_at else $3::bigint + period end as until
  from allowed left join rate_limits using (id)
  where amount + case when resets_at > $3::bigint then count::bigint else 0 end > total
), spent as (
  insert into rate_limits (id, count, resets_at)
  select id, amount, $3::bigint + period from allowed
  where exists (select from admitted) and not exists (select from refused where refused.place <= allowed.place)
  order by id
  on conflict (id) do update set
    count = case when rate_limits.resets_at <= $3::bigint then excluded.count else rate_limits.count + excluded.count end,
    resets_at = case when rate_limits.resets_at <= $3::bigint then excluded.resets_at else rate_limits.resets_at end
  returning id, count, resets_at
), limited as (
  select until, null as place from refused
  union all
  select resets_at, place from spent join allowed using (id) where count > total
)`

const SPEND = `with admitted as (select), ${SPENDING} select until, place from limited`

/**
 * In the order of IDs, as above, so that concurrent statements do not wait for each other in a circle. A window that ends
 * later than one that began at $3 is a newer one, of which nothing was spent.
 */
const GIVE_BACK = `
with spent as (
  select rate_limits.id, amount
  from jsonb_to_recordset($1::text::jsonb) as budget(place int, id text, amount int, period bigint)
    join rate_limits using (id)
  where place >= $2::int and resets_at <= $3::bigint + period
  order by rate_limits.id for update of rate_limits
)
update rate_limits set count = greatest(count - amount, 0) from spent where rate_limits.id = spent.id`

function listBudgets({ budgets }: Pick<Spending, 'budgets'>): string {
  const asked = budgets.map(({ id, amount = 1, most, reserve = 0, window }, place) => ({
    ...{ place, id, amount, most, reserve },
    period: window,
  }))
  return JSON.stringify(asked)
}

/** Returns the values $1 to $3 of {@link SPENDING}. */
export function getSpendingValues({ budgets, marks = [], now }: Spending): readonly (string | number)[] {
  return [listBudgets({ budgets }), JSON.stringify(marks), now]
}

/** Gives back what a request has spent that came too late, from the place of the budget that refused. */
export async function giveBack(query: Query, spending: Spending, place: number): Promise<void> {
  await query(GIVE_BACK, [listBudgets(spending), place, spending.now])
}

/** Time as PostgreSQL's drivers return a bigint. */
export const timeColumn = v.pipe(v.union([v.string(), v.number(), v.bigint()]), v.transform(Number))

const rows = v.array(v.object({ until: timeColumn, place: v.nullable(v.number()) }))

/** Returns the seconds to wait until a time, at least 1. */
export function getWait(until: number, now: number): number {
  return Math.max(1, Math.ceil((until - now) / 1000))
}

/**
 * Spends all budgets in one prepared statement; concurrent requests never get more than a budget holds. One that came too
 * late gives back what it spent in a second statement.
 * @returns undefined, or the seconds to wait when a budget is used up
 */
export async function spend(query: Query, spending: Spending): Promise<number | undefined> {
  const found = v.parse(rows, await query(SPEND, getSpendingValues(spending)))
  if (found.length === 0) return undefined
  const places = found.flatMap(({ place }) => place ?? [])
  if (places.length > 0) await giveBack(query, spending, Math.min(...places))
  return getWait(Math.max(...found.map(({ until }) => until)), spending.now)
}
