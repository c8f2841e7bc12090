/** Loads one entry's page in a new profile, and records its events. */
import { installEvm, installSolana, installState } from '../harness/fakes.mjs'

/**
 * @typedef {import('playwright-core').Page} Page
 *
 * @typedef {object} Visit Counts are of renders of the component that holds the list.
 * @property {number} [evalMs] Evaluating all modules, React included, after they were fetched.
 * @property {number} [listedMs] From navigation until the list with every wallet was committed.
 * @property {readonly (number | undefined)[]} registerMs One more wallet registers → committed; undefined: never.
 * @property {Events} [events] What followed, if asked for.
 * @property {readonly string[]} errors That the page threw.
 *
 * @typedef {object} Events
 * @property {number} settled Renders until nothing more came.
 * @property {number} unconnectedChange Renders when a wallet that is not connected has a new account.
 * @property {readonly number[]} registerRenders
 * @property {number | undefined} connectedChange Renders when the connected wallet tells of its account once more, then of
 *   a second one: neither is in the list. Undefined: it did not connect or sign.
 */

/** Time without a render after which a page counts as settled. ConnectorKit waits 1 s before it shows anything. */
const SETTLED_MS = 1300
const QUIET_MS = 150
const APART_MS = 50
const CONNECTED_MS = 600
const LISTED_MS = 8000
const REGISTERED_MS = 1500
const COUNTED_REGISTRATIONS = 8
const TIMED_REGISTRATIONS = 16

/** Until the list has not rendered for so long, counted from now. @param {Page} page @param {number} quiet ms */
function rest(page, quiet) {
  return page.evaluate(async quiet => {
    const called = performance.now()
    const left = () => Math.max(called, window.bench.lastRender) + quiet - performance.now()
    while (left() > 0 && performance.now() - called < 10_000) await new Promise(done => setTimeout(done, left()))
    return window.bench.renders
  }, quiet)
}

/** The renders that something causes. @param {Page} page @param {() => Promise<unknown>} act */
async function getRenders(page, act) {
  const before = await page.evaluate(() => window.bench.renders)
  await act()
  return (await rest(page, QUIET_MS)) - before
}

/** @param {Page} page @param {number} length @param {number} timeout ms */
function listed(page, length, timeout) {
  return page
    .waitForFunction(length => window.bench?.listedAt[length], length, { timeout, polling: 20 })
    .then(handle => handle.jsonValue())
    .catch(() => undefined)
}

/** @param {Page} page @param {number} timeout ms @returns {Promise<number | undefined>} */
async function register(page, timeout) {
  const { started, wanted } = await page.evaluate(() => {
    const wanted = window.bench.listed + 1
    const started = performance.now()
    window.fakes.add()
    return { started, wanted }
  })
  const at = await listed(page, wanted, timeout)
  return at === undefined ? undefined : at - started
}

/** @param {Page} page @returns {Promise<boolean>} whether wallet 1 connected and signed */
async function connectAndSign(page) {
  const wait = { timeout: 10_000 }
  try {
    await page.getByRole('button', { name: 'Fake 1', exact: true }).click(wait)
    await page.locator('#sign:enabled').click(wait)
    await page.waitForFunction(() => window.bench.signed > 0, undefined, wait)
    return true
  } catch {
    return false
  }
}

/**
 * One after the other, until one is missed: its kit misses the others too.
 * @param {Page} page @param {{ count: number, timeout: number, quiet: number }} options ms: `timeout` until one is missed,
 *   and `quiet` without a render before the next one
 */
async function measureRegistrations(page, { count, timeout, quiet }) {
  /** @type {(number | undefined)[]} */
  const registerMs = []
  /** @type {number[]} */
  const registerRenders = []
  while (registerMs.length < count && !registerMs.includes(undefined)) {
    const before = await page.evaluate(() => window.bench.renders)
    registerMs.push(await register(page, timeout))
    registerRenders.push((await rest(page, quiet)) - before)
  }
  return { registerMs, registerRenders }
}

/** @param {Page} page @param {number} timeout ms of a registration @returns {Promise<Omit<Events, 'connectedChange'>>} */
async function countEvents(page, timeout) {
  const settled = await rest(page, SETTLED_MS)
  const unconnectedChange = await getRenders(page, () => page.evaluate(() => window.fakes.list[0]?.change(1)))
  const options = { count: COUNTED_REGISTRATIONS, timeout, quiet: QUIET_MS }
  const { registerRenders } = await measureRegistrations(page, options)
  return { settled, unconnectedChange, registerRenders }
}

/** @param {Page} page @returns {Promise<Events['connectedChange']>} */
async function getConnectedChange(page) {
  if (!(await connectAndSign(page))) return undefined
  await rest(page, CONNECTED_MS)
  const again = await getRenders(page, () => page.evaluate(() => window.fakes.list[1]?.change(1)))
  const second = await getRenders(page, () => page.evaluate(() => window.fakes.list[1]?.change(2)))
  return again + second
}

/**
 * @typedef {object} Options
 * @property {string} url
 * @property {'solana' | 'evm'} kind
 * @property {number} wallets
 */

/**
 * @template T
 * @param {import('playwright-core').Browser} browser
 * @param {Options} options
 * @param {(page: Page) => Promise<T>} then
 */
async function load(browser, { url, kind, wallets }, then) {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    /** @type {string[]} */
    const errors = []
    page.on('pageerror', error => errors.push(error.message.slice(0, 200)))
    await page.addInitScript(installState)
    await page.addInitScript(kind === 'evm' ? installEvm : installSolana, wallets)
    await page.goto(url)
    const listedMs = await listed(page, wallets, LISTED_MS)
    const evalMs = await page.evaluate(() => window.bench.evalEnd - window.bench.evalStart)
    return { evalMs, listedMs, result: await then(page), errors }
  } finally {
    await context.close()
  }
}

/**
 * Counts renders, which takes seconds; a kit that missed a registration before gets less time for one. A connected wallet's change has a page of its own, because some kits treat a change
 * of an unconnected wallet as a connect.
 * @param {import('playwright-core').Browser} browser
 * @param {Options} options
 * @param {Visit} visited the visit that it completes
 * @returns {Promise<Visit>}
 */
export async function addEvents(browser, options, visited) {
  const timeout = visited.registerMs.includes(undefined) ? REGISTERED_MS : LISTED_MS
  const [counted, connected] = await Promise.all([
    load(browser, options, page => countEvents(page, timeout)),
    load(browser, options, getConnectedChange),
  ])
  return {
    ...visited,
    events: { ...counted.result, connectedChange: connected.result },
    errors: [...visited.errors, ...counted.errors, ...connected.errors],
  }
}

/** Loads a page once, which fills the caches of the browser and the system. @param {import('playwright-core').Browser} browser @param {Options} options */
export async function warmUp(browser, options) {
  await load(browser, options, async () => undefined)
}

/** Measures times, and counts nothing. @param {import('playwright-core').Browser} browser @param {Options} options @returns {Promise<Visit>} */
export async function visit(browser, options) {
  const timing = { count: TIMED_REGISTRATIONS, timeout: REGISTERED_MS, quiet: APART_MS }
  const { result, ...times } = await load(browser, options, page => measureRegistrations(page, timing))
  return { ...times, registerMs: result.registerMs }
}
