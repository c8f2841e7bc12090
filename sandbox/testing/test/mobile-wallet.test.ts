/** Runs Solana Mobile Wallet Adapter in Chromium, with a real websocket and encryption to a wallet of the sandbox. */
import { type MobilePhone, startMobilePhone } from '@keybay/sandbox-wallets/mobile'
import type { BrowserContextOptions } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { connectedWallets, receiveAirdrop } from '../src/flows.js'
import { setUpSandbox } from '../src/sandbox.js'
import type { Visitor } from '../src/visitor.js'

const sandbox = setUpSandbox()
const ANDROID: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  userAgent:
    'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
}
const NAME = 'Mobile Wallet Adapter'
let phone: MobilePhone
beforeAll(async () => {
  phone = await startMobilePhone({ chainUrl: sandbox.chain.url })
})
afterAll(async () => {
  await phone.stop()
  expect(foreignRequests).toEqual([]) // the client library's dialogs would load fonts
})
beforeEach(() => phone.wallet.forgetApps())

/** Opens the app for `solana-wallet:` addresses, as Android does, and makes the page choose the app's port. */
function beAndroid(port: number) {
  Math.random = () => (port - 49_152 + 0.5) / 16_384
  const navigation: EventTarget = Reflect.get(window, 'navigation')
  navigation.addEventListener('navigate', event => {
    const { url } = Reflect.get(event, 'destination')
    if (!String(url).startsWith('solana-wallet:')) return
    event.preventDefault()
    // The page loses the focus once the app is open, which knows the page's key by then.
    Reflect.get(window, 'callApp')(url).then(() => dispatchEvent(new Event('blur')))
  })
}
// Chromium reports sockets that the app does not answer yet, and the inline styles of the client library's spinner, which
// the app's content security policy blocks.
const EXPECTED =
  /\[keybay\] (connect|sign\w*|disconnect) |ERR_UNSAFE_PORT|WebSocket connection to|Applying inline style/

/** Requests of the pages to hosts other than this machine. */
const foreignRequests: string[] = []

async function visit(): Promise<Visitor> {
  const visitor = await sandbox.visit('/', { ...ANDROID, expectTrouble: EXPECTED })
  visitor.context.on('request', request => {
    const { protocol, hostname, href } = new URL(request.url())
    if (/^(https?|wss?):$/.test(protocol) && !/(^|\.)localhost$|^127\./.test(hostname)) foreignRequests.push(href)
  })
  // Granting some permissions denies all others, including access to apps on the phone.
  await visitor.context.clearPermissions()
  await visitor.context.exposeBinding('callApp', (_source, url: string) => phone.associate(url))
  await visitor.context.addInitScript(beAndroid, phone.port)
  await visitor.page.reload()
  await visitor.page.getByRole('heading', { level: 1 }).waitFor()
  return visitor
}

async function connect(visitor: Visitor) {
  await visitor.connectDialog.open()
  await visitor.connectDialog.choose(NAME)
  await expect.poll(() => connectedWallets(visitor)).toEqual([NAME])
}

function stored({ page }: Visitor) {
  return page.evaluate(() => JSON.stringify({ ...localStorage }))
}

it('connects a mobile wallet, stays connected after a reload, signs, sends, disconnects, and stores no token in the clear', async () => {
  const visitor = await visit()
  const { page } = visitor
  await connect(visitor)
  await expect.poll(() => page.getByRole('main').textContent()).toContain(phone.wallet.address.slice(0, 4))
  const tokens = () => [...phone.wallet.apps.keys()]
  for (const token of tokens()) expect(await stored(visitor)).not.toContain(token)
  const before = phone.wallet.requests.length
  await page.reload()
  await expect.poll(() => connectedWallets(visitor)).toEqual([NAME])
  expect(phone.wallet.requests).toHaveLength(before)
  await receiveAirdrop(visitor)
  await visitor.go('Sign')
  await page.getByRole('button', { name: 'Sign message' }).click()
  await page.getByText('Signature', { exact: true }).first().waitFor()
  for (const token of tokens()) expect(await stored(visitor)).not.toContain(token)
  await page.goto(`${sandbox.app.url}/lab`)
  await page.getByRole('button', { name: 'Sign and send' }).click()
  await expect.poll(() => phone.wallet.requests.at(-1)).toBe('sign_and_send_transactions')
  await visitor.go('Overview')
  await expect.poll(() => page.getByRole('region', { name: 'Activity' }).getByRole('listitem').count()).toBe(2)
  await page.getByRole('button', { name: `Disconnect ${NAME}` }).click()
  await expect.poll(() => phone.wallet.apps.size).toBe(0)
  await expect.poll(() => stored(visitor)).not.toContain('mobile-wallet:')
})
it('lists the wallets on this phone first and offers no QR code', async () => {
  const visitor = await visit()
  await visitor.connectDialog.open()
  const names = await visitor.connectDialog.dialog.getByRole('listitem').allInnerTexts()
  expect(names.slice(0, 3).map(name => name.trim().split('\n')[0])).toEqual(['Phantom', 'Solflare', NAME])
  await expect.poll(() => visitor.page.getByText('My wallet is on my phone').count()).toBe(0)
})
it('a desktop does not offer the mobile wallet adapter, and opens a phone in a window in place of the list', async () => {
  const visitor = await sandbox.visit('/')
  await visitor.connectDialog.open()
  await expect.poll(() => visitor.connectDialog.option(NAME).count()).toBe(0)
  const fold = visitor.page.getByText('My wallet is on my phone')
  await fold.click()
  await visitor.page.getByText(/^A phone can’t reach app\.localhost/).waitFor()
  await visitor.page.getByRole('button', { name: 'Open a phone in a window' }).waitFor()
  const rows = visitor.connectDialog.dialog.getByRole('listitem')
  await expect.poll(() => rows.count()).toBe(0)
  await fold.click()
  await expect.poll(() => rows.count()).toBeGreaterThan(0)
})
