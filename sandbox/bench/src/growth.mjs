/** Measures the same operations on an empty database and on one with a million users, wallets and sub-organizations. */
import { startRenewals, startUsers } from './api.mjs'
import { atMost } from './budgets.mjs'
import { startSigners } from './custody.mjs'
import { API_WALLET, COPIED, fill } from './growth-data.mjs'
import { load, undoing } from './measured.mjs'
import { startDatabase } from './measured-database.mjs'
import { percentile } from './stats.mjs'
import { figure } from './table.mjs'

/** Loads of each state, of which the fastest counts: other work on the machine can only slow one down. */
const LOADS = 3
/** Loads before them, which do not count: in the first ones the service compiles its code. */
const WARM_UPS = 3
const MOST_TIMES = 1.5

/**
 * @typedef {'signIn' | 'getUser' | 'renewal' | 'custody' | 'signature'} Operation
 * @typedef {{ emptyMs: number, fullMs: number }} Growth p99 of one operation.
 * @typedef {{ rows: number, growth: Partial<Record<Operation, Growth>> }} GrowthFigures
 */

/**
 * @param {() => Promise<number | undefined>} measure
 * @returns {Promise<number>}
 */
async function fastest(measure) {
  /** @type {number[]} */
  const times = []
  for (let nth = 0; nth < WARM_UPS + LOADS; nth++) times.push((await measure()) ?? Number.POSITIVE_INFINITY)
  return Math.min(...times.slice(WARM_UPS))
}

/**
 * Measures operations, fills the database, and measures them again.
 * @template {Operation} Name
 * @param {Readonly<Record<Name, () => Promise<number | undefined>>>} operations each returns the p99 of a load, in ms
 * @param {() => Promise<void>} grow
 * @returns {Promise<Record<Name, Growth>>}
 */
async function compare(operations, grow) {
  const names = /** @type {Name[]} */ (Object.keys(operations))
  const measureAll = async () => {
    /** @type {number[]} */
    const times = []
    for (const name of names) times.push(await fastest(operations[name]))
    return times
  }
  const empty = await measureAll()
  await grow()
  const full = await measureAll()
  const rows = names.map((name, nth) => [name, { emptyMs: empty[nth] ?? 0, fullMs: full[nth] ?? 0 }])
  return Object.fromEntries(rows)
}

/** @param {{ apiMs: number, rows: number }} options */
function measureApiGrowth({ apiMs, rows }) {
  return undoing(async onEnd => {
    const { askForLong } = await startDatabase(onEnd)
    const { measured, users } = await startUsers(onEnd, 'api')
    const renewals = await startRenewals(users)
    // A token may end while the database is filled.
    const startReads = () =>
      Promise.all(
        users.map(async user => {
          const { accessToken } = await user.signIn()
          return () => user.client.get('/users/me', String(accessToken))
        }),
      )
    const p99 = (/** @type {readonly (() => Promise<unknown>)[]} */ acts) => async () =>
      (await load(measured, acts, apiMs)).p99Ms
    const operations = {
      signIn: p99(users.map(user => user.signIn)),
      getUser: async () => p99(await startReads())(),
      renewal: p99(renewals),
    }
    return compare(operations, async () => {
      await askForLong(API_WALLET)
      await fill(askForLong, COPIED.api, rows)
    })
  })
}

/** @param {{ apiMs: number, rows: number }} options */
function measureCustodyGrowth({ apiMs, rows }) {
  return undoing(async onEnd => {
    const { askForLong } = await startDatabase(onEnd)
    const { measured, signatures } = await startSigners(onEnd)
    const custody = async () => (await load(measured, signatures, apiMs)).p99Ms
    return compare({ custody }, () => fill(askForLong, COPIED.custody, rows))
  })
}

/** @param {{ rounds: number, rows: number }} options */
function measureRelayGrowth({ rounds, rows }) {
  return undoing(async onEnd => {
    const database = await startDatabase(onEnd)
    const { withSigners } = await import(/** @type {string} */ ('@keybay/sandbox-relay/bench'))
    return withSigners(database.url, (/** @type {(count: number) => Promise<{ times: readonly number[] }>} */ sign) =>
      compare({ signature: async () => percentile((await sign(rounds)).times, 99) }, () =>
        fill(database.askForLong, COPIED.relay, rows),
      ),
    )
  })
}

/**
 * @param {{ apiMs: number, rounds: number, rows: number }} counts duration of each load, in ms; number of signatures;
 *   number of users, wallets and sub-organizations
 * @returns {Promise<GrowthFigures>}
 */
export async function measureGrowth(counts) {
  /** @type {GrowthFigures['growth']} */
  const growth = {}
  for (const measure of [measureApiGrowth, measureCustodyGrowth, measureRelayGrowth])
    Object.assign(growth, await measure(counts).catch(error => void console.error(error)))
  return { rows: counts.rows, growth }
}

/** @type {Readonly<Record<Operation, string>>} */
const TITLES = {
  signIn: 'sign-in by a code, two requests',
  getUser: 'get user',
  renewal: 'renewal',
  custody: 'custody signature',
  signature: 'MPC signature at R1',
}

/** @param {GrowthFigures | undefined} figures @returns {import('./reports.mjs').Report} */
export function reportGrowth(figures) {
  const { rows = 0, growth = {} } = figures ?? {}
  const operations = /** @type {Operation[]} */ (Object.keys(TITLES)).map(name => {
    const measured = growth[name]
    return { title: TITLES[name], measured, times: measured && measured.fullMs / measured.emptyMs }
  })
  return {
    tables: [
      {
        title: `p99 on PostgreSQL with ${rows.toLocaleString('en')} users, wallets and sub-organizations, eight users at once`,
        table: {
          head: ['', 'empty, ms', 'full, ms', 'times'],
          rows: operations.map(({ title, measured, times }) => [
            title,
            figure(measured?.emptyMs),
            figure(measured?.fullMs),
            figure(times, 2),
          ]),
        },
      },
    ],
    verdicts: operations.map(({ title, times }) =>
      atMost(`p99 of a large database: ${title}`, times, MOST_TIMES, 'times that of an empty one'),
    ),
  }
}
