/**
 * Measures the time from a new user's last action to a wallet that can sign, in Chromium with the real frame, relay and
 * product API. Every sign-up is in a new profile, which has no cache.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { launchBrowser } from '@keybay/sandbox-tools/launch-browser'
import { atMost } from './budgets.mjs'
import { undoing } from './measured.mjs'
import { median, percentile } from './stats.mjs'
import { figure } from './table.mjs'
import { startWalletStack } from './wallet-stack.mjs'

const PERCENT = 95
/** Budget of the slowest sign-ups, in ms. */
const WALLET_LIMIT_MS = 500
/** How long a user takes at least to read the message and to enter the code. */
const TYPING_MS = 2000

/**
 * @typedef {object} SignUp In ms, from the moment when the user has entered the code.
 * @property {number} session Until the user is signed in.
 * @property {number} wallet Until a new wallet is connected.
 */

/**
 * @param {import('playwright-core').Browser} browser
 * @param {import('./wallet-stack.mjs').WalletStack} stack
 * @param {string} number of a new user
 * @returns {Promise<SignUp>}
 */
async function signUp(browser, { pageUrl, code }, number) {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    await page.exposeFunction('code', async () => {
      const sent = await code(number)
      await wait(TYPING_MS)
      return sent
    })
    await page.goto(pageUrl)
    await page.waitForFunction(() => 'newUser' in window)
    return await page.evaluate(number => window.newUser.signUp(number), number)
  } finally {
    await context.close()
  }
}

/** @param {{ signUps: number }} counts @returns {Promise<readonly SignUp[]>} */
export function measureSignUp({ signUps }) {
  return undoing(async onEnd => {
    const stack = await startWalletStack(onEnd, 'sign-up')
    const browser = await launchBrowser()
    onEnd(() => browser.close())
    const numbers = Array.from({ length: signUps + 1 }, (_, index) => `+4179555${String(1000 + index)}`)
    /** @type {SignUp[]} */
    const taken = []
    for (const number of numbers) taken.push(await signUp(browser, stack, number))
    // The first one fills the caches of the system and of the services.
    return taken.slice(1)
  })
}

/** @param {readonly SignUp[] | undefined} signUps @returns {import('./reports.mjs').Report} */
export function reportSignUp(signUps = []) {
  const row = (/** @type {string} */ title, /** @type {keyof SignUp} */ name) => {
    const times = signUps.map(taken => taken[name])
    return [title, figure(median(times), 0), figure(percentile(times, PERCENT), 0)]
  }
  return {
    tables: [
      {
        title: 'Sign-up of a new user by a code, in Chromium, in ms from the code',
        table: {
          head: ['', 'median', `${PERCENT}th percentile`],
          rows: [row('signed in', 'session'), row('wallet connected', 'wallet')],
        },
      },
    ],
    verdicts: [
      atMost(
        `sign-up to usable wallet, ${PERCENT}th percentile`,
        percentile(
          signUps.map(({ wallet }) => wallet),
          PERCENT,
        ),
        WALLET_LIMIT_MS,
        'ms',
      ),
    ],
  }
}
