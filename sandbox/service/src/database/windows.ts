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
  /** Amount that the request takes from the budget. Default 1. */
  readonly amount?: number
}

export interface Spending {
  /** In the order in which they are spent: the client's own first, those that clients share last. */
  readonly budgets: readonly Budget[]
  /** ID of a mark; a client with it is known. */
  readonly mark?: string | undefined
  /** ms since epoch */
  readonly now: number
}

const ASKED = `asked as (
  select budget.*, most + case
    when exists (select from rate_limits where id = $2::text and resets_at > $3::bigint) then reserve else 0
  end as total
  from jsonb_to_recordset($1::text::jsonb)
    as budget(place int, id text, amount int, most bigint, reserve bigint, period bigint)
)`

const ADD = `on conflict (id) do update set
    count = case when rate_limits.resets_at <= $3::bigint then excluded.count else rate_limits.count + excluded.count end,
    resets_at = case when rate_limits.resets_at <= $3::bigint then excluded.resets_at else rate_limits.resets_at end`

/**
 * Common table expressions that spend budgets, for a statement that then does its own work: $1 budgets, $2 mark, $3 now
 * ({@link getSpendingValues}). The statement defines `admitted` before them, and nothing is spent unless it has a row.
 * `verdict` has one row: `until` is null if no budget refuses, which the statement's own work needs.
 *
 * A budget is spent only if no earlier one refuses, so a flood that its own budgets refuse uses up no shared one. Of
 * concurrent requests that see the same count, the last part refuses those that come too late. They have spent all budgets
 * before the place `refused` (null: all of them), and {@link giveBack} gives back those from the place `late` on.
 */
export const SPENDING = `
${ASKED}, refused as (
  select min(place) as first, max(case when resets_at > $3::bigint then resets_at else $3::bigint + period end) as until
  from asked left join rate_limits using (id)
  where amount + case when resets_at > $3::bigint then count::bigint else 0 end > total
), spent as (
  insert into rate_limits (id, count, resets_at)
  select id, amount, $3::bigint + period from asked, refused
  where exists (select from admitted) and (first is null or place < first)
  order by id
  ${ADD}
  returning id, count, resets_at
), late as (
  select min(place) as place, max(resets_at) as until from spent join asked using (id) where count > total
), verdict as (
  select greatest(refused.until, late.until) as until, place as late, first as refused from refused, late
)`

/**
 * Like {@link SPENDING}, for exactly one budget: half the work, and no request comes too late, because the update
 * itself refuses it.
 */
export const SPENDING_ONE = `
${ASKED}, seen as (
  select resets_at, count from rate_limits where id = (select id from asked) and resets_at > $3::bigint
), spent as (
  insert into rate_limits (id, count, resets_at)
  select id, amount, $3::bigint + period from asked
  where exists (select from admitted) and amount + coalesce((select count::bigint from seen), 0) <= total
  ${ADD}
  where rate_limits.resets_at <= $3::bigint or rate_limits.count::bigint + excluded.count <= (select total from asked)
  returning 1
), verdict as (
  select null::int as late, null::int as refused, case
    when not exists (select from spent) then coalesce((select resets_at from seen), $3::bigint + period)
  end as until
  from asked
)`

const SPEND = `with admitted as (select), ${SPENDING} select until, late, refused from verdict`
const SPEND_ONE = `with admitted as (select), ${SPENDING_ONE} select until, late, refused from verdict`

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
  const toRow = ({ id, amount = 1, most, reserve = 0, window: period }: Budget, place: number) => {
    return { place, id, amount, most, reserve, period }
  }
  return JSON.stringify(budgets.map(toRow))
}

/** Returns the values $1 to $3 of {@link SPENDING} and {@link SPENDING_ONE}. */
export function getSpendingValues({ budgets, mark, now }: Spending): readonly (string | number | null)[] {
  return [listBudgets({ budgets }), mark ?? null, now]
}

/** Time as PostgreSQL's drivers return a bigint. */
export const timeColumn = v.pipe(v.union([v.string(), v.number(), v.bigint()]), v.transform(Number))

/** Columns of `verdict`. */
export const verdictColumns = {
  until: v.nullable(timeColumn),
  late: v.nullable(v.number()),
  refused: v.nullable(v.number()),
}
const verdict = v.object(verdictColumns)
const rows = v.tuple([verdict])

/** Gives back what a request has spent that came too late: no budget that it did not spend, which others used up. */
export async function giveBack(
  query: Query,
  { budgets, now }: Spending,
  { late, refused }: Omit<v.InferOutput<typeof verdict>, 'until'>,
): Promise<void> {
  if (late !== null)
    await query(GIVE_BACK, [listBudgets({ budgets: budgets.slice(0, refused ?? undefined) }), late, now])
}

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
  const result = await query(spending.budgets.length === 1 ? SPEND_ONE : SPEND, getSpendingValues(spending))
  const [{ until, ...places }] = v.parse(rows, [...result])
  await giveBack(query, spending, places)
  return until === null ? undefined : getWait(until, spending.now)
}
