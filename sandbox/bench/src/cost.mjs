/**
 * Measures what operations cost an operator: processor time of the service and of PostgreSQL, as a multiple of one
 * P-256 verification in the same run, so that the figures of two machines compare.
 */
import { randomBytes, sign, verify } from 'node:crypto'
import { newKeyPair } from '@keybay/sandbox-service/key-pair'
import { startRenewals, startUsers } from './api.mjs'
import { atMost } from './budgets.mjs'
import { startSigners } from './custody.mjs'
import { undoing } from './measured.mjs'
import { startDatabase } from './measured-database.mjs'
import { median } from './stats.mjs'
import { figure } from './table.mjs'

const VERIFY_MS = 100
/** Number of measurements of each operation, of which the median counts. */
const ROUNDS = 5
/** Number of operations before a measurement: until about the thousandth, V8 has not compiled what they use. */
const WARM_UP = 2_000

/**
 * @typedef {object} Cost
 * @property {number} times Processor time of service and database ÷ one P-256 verification.
 * @property {number} databaseShare Part of the database in it.
 * @property {number} statements
 *
 * @typedef {{ rounds: number, warmUp: number, verifications: number[] }} CostOptions
 *   `verifications` receives the processor time of each, in ms.
 *
 * @typedef {'signIn' | 'getUser' | 'renewal' | 'custody' | 'signature' | 'bareRenewal'} Measured
 * @typedef {{ verifyMs: number | undefined, costs: Partial<Record<Measured, Cost>> }} CostFigures
 */

/** @returns {number} processor time of one P-256 verification, in ms */
function measureVerification() {
  const { privateKey, publicKey } = newKeyPair('P-256')
  const body = randomBytes(420)
  const signature = sign('sha256', body, privateKey)
  const before = process.cpuUsage()
  const end = performance.now() + VERIFY_MS
  let count = 0
  for (; performance.now() < end; count++)
    if (!verify('sha256', body, publicKey, signature)) throw new Error('The signature does not verify')
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / count
}

/** @param {readonly (() => Promise<unknown>)[]} users @param {number} count */
async function repeat(users, count) {
  let left = count
  await Promise.all(
    users.map(async act => {
      while (left-- > 0) await act()
    }),
  )
}

/**
 * Measures an operation several times, each time between two verifications: other work on the machine slows both down.
 * @param {CostOptions} options
 * @param {import('./measured-database.mjs').MeasuredDatabase | undefined} database
 * @param {() => Promise<{ count: number, serviceMs: number }>} run repeats the operation
 * @returns {Promise<Cost>}
 */
async function inRounds({ verifications }, database, run) {
  const read = () => ({ ms: (database?.processorTime() ?? 0) * 1000, statements: database?.countStatements() ?? 0 })
  /** @type {Cost[]} */
  const costs = []
  for (let round = 0; round < ROUNDS; round++) {
    const verifyBefore = measureVerification()
    const before = read()
    const { count, serviceMs } = await run()
    const after = read()
    const verifyMs = (verifyBefore + measureVerification()) / 2
    verifications.push(verifyMs)
    const databaseMs = after.ms - before.ms
    costs.push({
      times: (serviceMs + databaseMs) / count / verifyMs,
      databaseShare: databaseMs / (serviceMs + databaseMs),
      statements: (after.statements - before.statements) / count,
    })
  }
  const middle = (/** @type {keyof Cost} */ name) => median(costs.map(cost => cost[name])) ?? Number.NaN
  return { times: middle('times'), databaseShare: middle('databaseShare'), statements: middle('statements') }
}

/**
 * @param {import('./measured.mjs').Measured} measured
 * @param {import('./measured-database.mjs').MeasuredDatabase | undefined} database
 * @param {readonly (() => Promise<unknown>)[]} users
 * @param {CostOptions} options
 * @returns {Promise<Cost>}
 */
async function measureCost(measured, database, users, options) {
  // By count, because a time would be short on a busy machine.
  await repeat(users, options.warmUp)
  const count = Math.ceil(options.rounds / ROUNDS)
  return inRounds(options, database, async () => {
    const before = await measured.used()
    await repeat(users, count)
    return { count, serviceMs: (await measured.used()).ms - before.ms }
  })
}

/** @param {CostOptions} options */
function measureApiCosts(options) {
  return undoing(async onEnd => {
    const database = await startDatabase(onEnd)
    const { measured, users } = await startUsers(onEnd, 'api')
    const cost = (/** @type {readonly (() => Promise<unknown>)[]} */ acts) =>
      measureCost(measured, database, acts, options)
    const signIn = await cost(users.map(user => user.signIn))
    const reads = await Promise.all(
      users.map(async user => {
        const { accessToken } = await user.signIn()
        return () => user.client.get('/users/me', String(accessToken))
      }),
    )
    return { signIn, getUser: await cost(reads), renewal: await cost(await startRenewals(users)) }
  })
}

/** @param {CostOptions} options */
function measureBare(options) {
  return undoing(async onEnd => {
    const { measured, users } = await startUsers(onEnd, 'bare')
    return { bareRenewal: await measureCost(measured, undefined, await startRenewals(users), options) }
  })
}

/** @param {CostOptions} options */
function measureCustodyCost(options) {
  return undoing(async onEnd => {
    const database = await startDatabase(onEnd)
    const { measured, signatures } = await startSigners(onEnd)
    return { custody: await measureCost(measured, database, signatures, options) }
  })
}

/** @param {CostOptions} options */
function measureSignature(options) {
  return undoing(async onEnd => {
    const database = await startDatabase(onEnd)
    const { withSigners } = await import(/** @type {string} */ ('@keybay/sandbox-relay/bench'))
    const measure = (/** @type {(count: number) => Promise<{ rate: number, times: readonly number[] }>} */ sign) =>
      inRounds(options, database, async () => {
        const { rate, times } = await sign(options.rounds / ROUNDS)
        return { count: times.length, serviceMs: (times.length * 1000) / rate }
      })
    return { signature: await withSigners(database.url, measure, options.warmUp) }
  })
}

/** @param {{ rounds: number }} counts number of measured operations of each kind @returns {Promise<CostFigures>} */
export async function measureCosts({ rounds }) {
  const options = { rounds, warmUp: Math.min(WARM_UP, rounds), verifications: [] }
  /** @type {CostFigures['costs']} */
  const costs = {}
  for (const measure of [measureBare, measureApiCosts, measureCustodyCost, measureSignature])
    Object.assign(costs, await measure(options).catch(console.error))
  return { verifyMs: median(options.verifications), costs }
}

/** @param {CostFigures | undefined} figures @returns {import('./reports.mjs').Report} */
export function reportCosts(figures) {
  const { verifyMs, costs = {} } = figures ?? {}
  const row = (/** @type {string} */ title, /** @type {Measured} */ what) => {
    const cost = costs[what]
    const share = cost && cost.databaseShare * 100
    return [title, figure(cost?.times), figure(share, 0), figure(cost?.statements)]
  }
  return {
    tables: [
      {
        title: `Cost of an operation on PostgreSQL, in P-256 verifications of ${figure(verifyMs, 3)} ms`,
        table: {
          head: ['', 'verifications', '% of it the database', 'statements'],
          rows: [
            row('sign-in by a code, two requests', 'signIn'),
            row('get user', 'getUser'),
            row('renewal', 'renewal'),
            row('custody signature', 'custody'),
            row('MPC signature at R1', 'signature'),
            row('bare Hono answers a renewal', 'bareRenewal'),
          ],
        },
      },
    ],
    verdicts: [
      atMost('cost of a sign-in by code', costs.signIn?.times, 42, 'verifications'),
      atMost('statements of a sign-in by code', costs.signIn?.statements, 8),
      atMost('cost of getting a user', costs.getUser?.times, 11, 'verifications'),
      atMost('cost of an MPC signature', costs.signature?.times, 24, 'verifications'),
      atMost('cost of a custody signature', costs.custody?.times, 42, 'verifications'),
      atMost('statements of a custody signature', costs.custody?.statements, 5),
      atMost('cost of a renewal', costs.renewal?.times, 12, 'verifications'),
    ],
  }
}
