/**
 * Measures what operations cost an operator: processor time of the service and of PostgreSQL, as a multiple of one
 * P-256 verification in the same run, so that the figures of two machines compare.
 */
import { generateKeyPairSync, randomBytes, sign, verify } from 'node:crypto'
import { startRenewals, startUsers } from './api.mjs'
import { atMost } from './budgets.mjs'
import { startSigners } from './custody.mjs'
import { load, undoing } from './measured.mjs'
import { startDatabase } from './measured-database.mjs'
import { highest } from './stats.mjs'
import { figure } from './table.mjs'

const VERIFY_MS = 300
/** Number of operations before a measurement: until about the thousandth, V8 has not compiled what they use. */
const WARM_UP = 2_000

/**
 * @typedef {object} Cost
 * @property {number} times Processor time of service and database ÷ one P-256 verification.
 * @property {number} databaseShare Part of the database in it.
 * @property {number} statements
 *
 * @typedef {'signIn' | 'getUser' | 'renewal' | 'custody' | 'bareRenewal'} Measured
 * @typedef {{ verifyMs: number, costs: Partial<Record<Measured, Cost>>, signature: number | undefined }} CostFigures
 *   `signature`: of the relay, in multiples of one verification
 */

/** @returns {number} processor time of one P-256 verification, in ms */
function measureVerification() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
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
 * @param {import('./measured.mjs').Measured} measured
 * @param {import('./measured-database.mjs').MeasuredDatabase | undefined} database
 * @param {readonly (() => Promise<unknown>)[]} users
 * @param {{ ms: number, warmUp: number, verifyMs: number }} options
 * @returns {Promise<Cost>}
 */
async function measureCost(measured, database, users, { ms, warmUp, verifyMs }) {
  let count = 0
  const counted = users.map(act => async () => {
    await act()
    count++
  })
  // By count, because a time would be short on a busy machine.
  await repeat(users, warmUp)
  const read = async () => ({
    service: (await measured.used()).ms,
    database: (database?.processorTime() ?? 0) * 1000,
    statements: database?.countStatements() ?? 0,
  })
  const before = await read()
  await load(measured, counted, ms)
  const after = await read()
  const [service, inDatabase] = [after.service - before.service, after.database - before.database]
  return {
    times: (service + inDatabase) / count / verifyMs,
    databaseShare: inDatabase / (service + inDatabase),
    statements: (after.statements - before.statements) / count,
  }
}

/** @param {{ ms: number, warmUp: number, verifyMs: number }} options */
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

/** @param {{ ms: number, warmUp: number, verifyMs: number }} options */
function measureBare(options) {
  return undoing(async onEnd => {
    const { measured, users } = await startUsers(onEnd, 'bare')
    return { bareRenewal: await measureCost(measured, undefined, await startRenewals(users), options) }
  })
}

/** @param {{ ms: number, warmUp: number, verifyMs: number }} options */
function measureCustodyCost(options) {
  return undoing(async onEnd => {
    const database = await startDatabase(onEnd)
    const { measured, signatures } = await startSigners(onEnd)
    return { custody: await measureCost(measured, database, signatures, options) }
  })
}

/** @param {{ rounds: number, verifyMs: number }} options @returns {Promise<number>} */
function measureSignature({ rounds, verifyMs }) {
  return undoing(async onEnd => {
    const { serviceRate } = await import(/** @type {string} */ ('@keybay/sandbox-relay/bench'))
    return 1000 / (await serviceRate(rounds, await startDatabase(onEnd))) / verifyMs
  })
}

/**
 * @param {{ apiMs: number, rounds: number }} counts duration of each load, in ms; number of signatures
 * @returns {Promise<CostFigures>}
 */
export async function measureCosts({ apiMs, rounds }) {
  // The fastest, because other work on the machine can only slow a verification down.
  const verifyMs = 1 / (highest(Array.from({ length: 3 }, () => 1 / measureVerification())) ?? 1)
  const options = { ms: apiMs, warmUp: Math.min(WARM_UP, rounds), verifyMs }
  const failed = (/** @type {unknown} */ error) => {
    console.error(error)
    return {}
  }
  /** @type {CostFigures['costs']} */
  const costs = {}
  for (const measure of [measureBare, measureApiCosts, measureCustodyCost])
    Object.assign(costs, await measure(options).catch(failed))
  const signature = await measureSignature({ rounds, verifyMs }).catch(error => {
    console.error(error)
    return undefined
  })
  return { verifyMs, costs, signature }
}

/** @param {CostFigures | undefined} figures @returns {import('./reports.mjs').Report} */
export function reportCosts(figures) {
  const { verifyMs, costs = {}, signature } = figures ?? {}
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
            ['MPC signature at R1', figure(signature), '', ''],
            row('bare Hono answers a renewal', 'bareRenewal'),
          ],
        },
      },
    ],
    verdicts: [
      atMost('cost of a sign-in by code', costs.signIn?.times, 42, 'verifications'),
      atMost('statements of a sign-in by code', costs.signIn?.statements, 8),
      atMost('cost of getting a user', costs.getUser?.times, 11, 'verifications'),
      atMost('cost of an MPC signature', signature, 24, 'verifications'),
      atMost('cost of a custody signature', costs.custody?.times, 42, 'verifications'),
      atMost('statements of a custody signature', costs.custody?.statements, 5),
      atMost('cost of a renewal', costs.renewal?.times, 12, 'verifications'),
    ],
  }
}
