/**
 * Loads the app's home page in Chromium as a slow phone on a slow network does, with the sandbox's own chain and product
 * API. Every load is the first one: a new profile has no cache.
 */
import { launchBrowser } from '@keybay/sandbox-tools/launch-browser'
import { startAppStack } from './app-stack.mjs'
import { atMost } from './budgets.mjs'
import { undoing } from './measured.mjs'
import { median, sum } from './stats.mjs'
import { figure } from './table.mjs'

/** Processor of a mid-range phone, as a multiple of this machine's time. */
const CPU_SLOW_DOWN = 4
/** Bytes per second of 1.6 and 0.75 Mbit/s, and the time of a round trip in ms. */
const NETWORK = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }
const PHONE = { width: 390, height: 844 }
const FIRST_PAINT_LIMIT_MS = 1_500
const USABLE_LIMIT_MS = 2_500
const BLOCKING_LIMIT_MS = 200
/** KB of everything that the first page transfers, headers included. */
const TRANSFER_LIMIT_KB = 160
/** Layout shift that a user does not notice (Web Vitals call up to 0.1 good). */
const SHIFT_LIMIT = 0.05

/**
 * @typedef {object} PageLoad
 * @property {number} firstPaintMs First contentful paint.
 * @property {number} largestPaintMs Largest contentful paint.
 * @property {number} usableMs Until a button of the page reacts to a click.
 * @property {number} blockingMs Total blocking time: the parts of tasks beyond 50 ms.
 * @property {number} shift Cumulative layout shift.
 * @property {number} transferredKb
 * @property {number} requests
 */

/** Runs in the page before its scripts. */
function watch() {
  const seen = { firstPaint: 0, largestPaint: 0, usable: 0, blocking: 0, shift: 0 }
  Reflect.set(window, 'pageLoad', seen)
  const observe = (/** @type {string} */ type, /** @type {(entry: PerformanceEntry) => void} */ read) =>
    new PerformanceObserver(list => list.getEntries().forEach(read)).observe({ type, buffered: true })
  observe('paint', ({ name, startTime }) => {
    if (name === 'first-contentful-paint') seen.firstPaint = startTime
  })
  observe('largest-contentful-paint', ({ startTime }) => {
    seen.largestPaint = startTime
  })
  observe('longtask', ({ duration }) => {
    seen.blocking += duration - 50
  })
  observe('layout-shift', entry => {
    seen.shift += Number(Reflect.get(entry, 'value'))
  })
  // React has rendered the button when it is enabled, and reacts once the task that rendered it ends.
  const find = new MutationObserver(() => {
    if (!document.querySelector('main button:enabled')) return
    find.disconnect()
    setTimeout(() => {
      seen.usable = performance.now()
    })
  })
  find.observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ['disabled'] })
}

/**
 * @param {import('playwright-core').Browser} browser
 * @param {string} url
 * @returns {Promise<PageLoad>}
 */
async function loadOnce(browser, url) {
  const context = await browser.newContext({ viewport: PHONE, isMobile: true, hasTouch: true })
  try {
    const page = await context.newPage()
    const client = await context.newCDPSession(page)
    await client.send('Network.enable')
    await client.send('Network.emulateNetworkConditions', NETWORK)
    await client.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOW_DOWN })
    /** @type {number[]} */
    const transfers = []
    client.on('Network.loadingFinished', ({ encodedDataLength }) => void transfers.push(encodedDataLength))
    await page.addInitScript(watch)
    await page.goto(url)
    await page.waitForFunction(() => Reflect.get(window, 'pageLoad').usable > 0)
    await page.waitForLoadState('networkidle')
    const seen = await page.evaluate(() => Reflect.get(window, 'pageLoad'))
    return {
      firstPaintMs: seen.firstPaint,
      largestPaintMs: seen.largestPaint,
      usableMs: seen.usable,
      blockingMs: seen.blocking,
      shift: seen.shift,
      transferredKb: sum(transfers) / 1000,
      requests: transfers.length,
    }
  } finally {
    await context.close()
  }
}

/** @param {{ loads: number }} counts @returns {Promise<readonly PageLoad[]>} */
export function measurePageLoad({ loads }) {
  return undoing(async onEnd => {
    const { url } = await startAppStack(onEnd)
    const browser = await launchBrowser()
    onEnd(() => browser.close())
    // Fills the caches of the system and of the services.
    await loadOnce(browser, url)
    /** @type {PageLoad[]} */
    const taken = []
    while (taken.length < loads) taken.push(await loadOnce(browser, url))
    return taken
  })
}

/** @param {readonly PageLoad[] | undefined} loads @returns {import('./reports.mjs').Report} */
export function reportPageLoad(loads = []) {
  const middle = (/** @type {keyof PageLoad} */ name) => median(loads.map(load => load[name]))
  const [paint, usable, blocking] = [middle('firstPaintMs'), middle('usableMs'), middle('blockingMs')]
  const [transferred, shift] = [middle('transferredKb'), middle('shift')]
  return {
    tables: [
      {
        title: 'The app’s home page on a slow phone: 4 × processor time, 1.6 Mbit/s, 150 ms; medians',
        table: {
          head: ['', ''],
          rows: [
            ['first contentful paint, ms', figure(paint, 0)],
            ['largest contentful paint, ms', figure(middle('largestPaintMs'), 0)],
            ['usable, ms', figure(usable, 0)],
            ['total blocking time, ms', figure(blocking, 0)],
            ['layout shift', figure(shift, 3)],
            ['transferred, KB', figure(transferred, 1)],
            ['requests', figure(middle('requests'), 0)],
          ],
        },
      },
    ],
    verdicts: [
      atMost('first contentful paint of the app', paint, FIRST_PAINT_LIMIT_MS, 'ms'),
      atMost('app usable', usable, USABLE_LIMIT_MS, 'ms'),
      atMost('total blocking time of the app', blocking, BLOCKING_LIMIT_MS, 'ms'),
      atMost('layout shift of the app', shift, SHIFT_LIMIT),
      atMost('transferred by the app’s first page', transferred, TRANSFER_LIMIT_KB, 'KB'),
    ],
  }
}
