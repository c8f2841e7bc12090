/**
 * Measures the first signature after a load, in Chromium with the real frame and relay. After the warm-up, no step may
 * block the frame for longer than a user notices. The browser reports long steps (Long Tasks: from 50 ms on).
 */
import { launchBrowser } from '@keybay/sandbox-tools/launch-browser'
import { undoing } from './measured.mjs'
import { highest, median } from './stats.mjs'
import { startWalletStack } from './wallet-stack.mjs'

const PHONE_NUMBER = '+41795550101'

/**
 * @typedef {object} FirstSignature
 * @property {number | undefined} longestMs The longest step of any load that held the frame up, from its start to the signature; 0: none of 50 ms.
 * @property {number | undefined} loadMs The longest one before, while the page's script is read.
 * @property {number | undefined} signMs From the page's call to its signature, the median of the loads.
 */

/** Runs in every frame, before the frame's own script. */
function watch() {
  /** @type {{ start: number, ms: number }[]} */
  const tasks = []
  Reflect.set(window, 'longTasks', tasks)
  new PerformanceObserver(list => {
    for (const { startTime, duration } of list.getEntries()) tasks.push({ start: startTime, ms: duration })
  }).observe({ type: 'longtask', buffered: true })
}
/** Runs in the frame: a step that is too long, in its own task. */
function holdUp() {
  return new Promise(resolve =>
    setTimeout(() => {
      const until = performance.now() + 80
      while (performance.now() < until);
      resolve(undefined)
    }),
  )
}
/** Runs in the frame once it is idle. @returns {Promise<{ longest: number, load: number }>} */
async function readTasks() {
  // The browser delivers observer entries when the page is idle.
  await new Promise(resolve => requestIdleCallback(() => setTimeout(resolve), { timeout: 1_000 }))
  const [navigation] = performance.getEntriesByType('navigation')
  const started = Number(Reflect.get(navigation ?? {}, 'domContentLoadedEventEnd'))
  /** @type {readonly { start: number, ms: number }[]} */
  const tasks = Reflect.get(window, 'longTasks')
  const longest = (/** @type {readonly { ms: number }[]} */ some) => Math.max(0, ...some.map(({ ms }) => ms))
  return {
    longest: longest(tasks.filter(({ start }) => start >= started)),
    load: longest(tasks.filter(({ start }) => start < started)),
  }
}

/** @param {number} loads @returns {Promise<FirstSignature>} */
export function measureFirstSignature(loads) {
  return undoing(async onEnd => {
    const stack = await startWalletStack(onEnd, 'first-signature')
    const browser = await launchBrowser()
    onEnd(() => browser.close())
    const page = await browser.newPage()
    await page.addInitScript(watch)
    await page.exposeFunction('code', () => stack.code(PHONE_NUMBER))
    const open = async () => {
      await page.goto(stack.pageUrl)
      await page.waitForFunction(() => 'signer' in window)
    }
    await open()
    const walletWindow = page.frameLocator('iframe[title="wallet storage"]')
    await Promise.all([
      page.evaluate(number => window.signer.begin(number), PHONE_NUMBER),
      walletWindow.getByRole('button', { name: 'Change', exact: true }).click(),
    ])
    /** @type {{ longest: number, load: number, sign: number }[]} */
    const taken = []
    for (let load = 0; load < loads; load++) {
      await open()
      await page.evaluate(() => window.signer.connect())
      const frame = await (await page.waitForSelector('iframe[title="wallet"]', { state: 'attached' })).contentFrame()
      if (!frame) throw new Error('no frame')
      // Polled by time, because a hidden frame draws nothing.
      const isWarm = () => performance.getEntriesByName('keybay-waas:warm').length > 0
      await frame.waitForFunction(isWarm, undefined, { polling: 20 })
      const sign = await page.evaluate(() => window.signer.sign())
      taken.push({ ...(await frame.evaluate(readTasks)), sign })
    }
    // Checks that the observer runs, because one that does not run also reports no long task.
    const frame = page.frames().find(frame => frame.url().includes('/waas-v1/'))
    await frame?.evaluate(holdUp)
    const tasks = await frame?.evaluate(readTasks)
    if (!tasks || tasks.longest < 80) throw new Error('Long steps of the frame are not seen.')
    return {
      longestMs: highest(taken.map(({ longest }) => longest)),
      loadMs: highest(taken.map(({ load }) => load)),
      signMs: median(taken.map(({ sign }) => sign)),
    }
  })
}
