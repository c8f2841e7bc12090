/** Measures one signature from the click to the bytes, in Chromium with the plugin, the real API and custody. */
import { fileURLToPath } from 'node:url'
import { startApi } from '@keybay/sandbox-api'
import { launchBrowser } from '@keybay/sandbox-tools/launch-browser'
import { serveHostPage } from './host-page.mjs'
import { startMeasured, startPhone, undoing } from './measured.mjs'
import { median } from './stats.mjs'

const PHONE_NUMBER = '+41795550102'

/**
 * @typedef {object} Click
 * @property {number | undefined} ms Median.
 * @property {number} requests Of custody, each time.
 */

/**
 * @param {number} clicks
 * @param {readonly number[]} patience passed to custody; 0: every activity is pending at first
 * @returns {Promise<Click>}
 */
export function measureClick(clicks, ...patience) {
  return undoing(async onEnd => {
    const page = await serveHostPage(onEnd, fileURLToPath(new URL('../custody/host.ts', import.meta.url)))
    const phone = await startPhone(onEnd)
    const custody = await startMeasured(onEnd, 'custody', page, ...patience.map(String))
    const { url, operator } = custody.ready
    const api = await startApi({
      mode: 'sandbox',
      environments: { local: { name: 'Bench', allowedOrigins: [page], custody: { enabled: true } } },
      smtpUrl: 'smtp://127.0.0.1:9',
      smsUrl: phone.url,
      limitFactor: 100,
      custody: { baseUrl: url, operator: () => operator },
    })
    onEnd(api.stop)
    const browser = await launchBrowser()
    onEnd(() => browser.close())
    const tab = await browser.newPage()
    const session = await tab.context().newCDPSession(tab)
    await session.send('WebAuthn.enable')
    const options = { hasResidentKey: true, hasUserVerification: true, isUserVerified: true }
    await session.send('WebAuthn.addVirtualAuthenticator', {
      options: { protocol: 'ctap2', transport: 'internal', ...options },
    })
    await tab.exposeFunction('code', () => phone.code(PHONE_NUMBER))
    await tab.goto(`${page}/?${new URLSearchParams({ api: api.url, custody: url })}`)
    await tab.waitForFunction(() => 'custody' in window)
    await tab.evaluate(number => window.custody.begin(number), PHONE_NUMBER)
    const before = await custody.used()
    /** @type {number[]} */
    const times = []
    while (times.length < clicks) times.push(await tab.evaluate(() => window.custody.sign()))
    const { requests } = await custody.used()
    return { ms: median(times), requests: (requests - before.requests) / clicks }
  })
}
