/** Measures one signature from the click to the bytes, in Chromium with the plugin, the real API and custody. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startApi } from '@keybay/sandbox-api'
import { launchBrowser } from '@keybay/sandbox-tools/launch-browser'
import { startCustodyChild } from './custody-child.mjs'
import { serveHostPage, startPhone } from './host-page.mjs'
import { median } from './stats.mjs'

/**
 * @typedef {object} Click
 * @property {number | undefined} ms Median.
 * @property {number} requests Of custody, each time.
 */

/**
 * @param {number} clicks
 * @param {number} [patience] passed to custody; 0: every activity is pending at first
 * @returns {Promise<Click>}
 */
export async function measureClick(clicks, patience) {
  const folder = mkdtempSync(join(tmpdir(), 'keybay-bench-click-'))
  /** @type {(() => unknown)[]} */
  const stops = [() => rmSync(folder, { recursive: true, force: true })]
  try {
    const page = await serveHostPage(fileURLToPath(new URL('../custody/host.ts', import.meta.url)), folder)
    stops.push(page.close)
    const phone = await startPhone()
    stops.push(phone.close)
    const custody = await startCustodyChild(page.origin, patience)
    stops.push(custody.stop)
    const api = await startApi({
      environments: { local: { name: 'Bench', allowedOrigins: [page.origin], custody: { enabled: true } } },
      smtpUrl: 'smtp://127.0.0.1:9',
      smsUrl: phone.url,
      limitFactor: 100,
      custody: { baseUrl: custody.url, operator: () => custody.operator },
    })
    stops.push(api.stop)
    const browser = await launchBrowser()
    stops.push(() => browser.close())
    const tab = await browser.newPage()
    const session = await tab.context().newCDPSession(tab)
    await session.send('WebAuthn.enable')
    const options = { hasResidentKey: true, hasUserVerification: true, isUserVerified: true }
    await session.send('WebAuthn.addVirtualAuthenticator', {
      options: { protocol: 'ctap2', transport: 'internal', ...options },
    })
    await tab.exposeFunction('code', phone.code)
    await tab.goto(`${page.origin}/?${new URLSearchParams({ api: api.url, custody: custody.url })}`)
    await tab.waitForFunction(() => 'custody' in window)
    await tab.evaluate(() => window.custody.begin('+41795550102'))
    const before = await custody.used()
    /** @type {number[]} */
    const times = []
    while (times.length < clicks) times.push(await tab.evaluate(() => window.custody.sign()))
    const { requests } = await custody.used()
    return { ms: median(times), requests: (requests - before.requests) / clicks }
  } finally {
    for (const stop of stops.reverse()) await stop()
  }
}
