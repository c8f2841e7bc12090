/** Tests the windows in a real browser, because simulated pages lack dialogs, focus, keyboard and contrast. */
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { launchBrowser } from '@keybay/sandbox-tools/launch-browser'
import { Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js'
import { build } from 'esbuild'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

// biome-ignore format: one switch after the other
/** Blocks inline styles and scripts: the wallet must work under a strict policy. */
const POLICY = "default-src 'none'; script-src 'self'; img-src data:; style-src 'self'"
const PAGE =
  '<!doctype html><html lang="en"><title>Acme</title><main><h1>Acme</h1></main><script src="wallets.js"></script>'
/** Script of the app: connects, then stores the outcome of each request in `outcome`. */
const SITE = `
  import { registerSandboxWallet } from './src/index.ts'
  const wallet = registerSandboxWallet()
  const features = wallet.wallet.features
  const ask = promise => { globalThis.outcome = promise.then(() => 'done', ({ code, message }) => code + ' ' + message) }
  const account = () => wallet.wallet.accounts[0]
  Object.assign(globalThis, { site: {
    wallet,
    address: () => account().address,
    connect: () => ask(features['standard:connect'].connect()),
    message: text => ask(features['solana:signMessage'].signMessage({ account: account(), message: new TextEncoder().encode(text) })),
    transaction: bytes => ask(features['solana:signTransaction'].signTransaction({ account: account(), chain: 'solana:localnet', transaction: new Uint8Array(bytes) })),
    signIn: () => ask(features['solana:signIn'].signIn({ domain: 'bank.example', statement: 'Welcome.' })),
  } })`

let server: Server
let browser: Browser
let context: BrowserContext
let axe: string

beforeAll(async () => {
  const { outputFiles } = await build({
    stdin: { contents: SITE, resolveDir: fileURLToPath(new URL('..', import.meta.url)) },
    bundle: true,
    write: false,
  })
  axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  server = createServer(({ url }, response) => {
    const script = url === '/wallets.js'
    const type = script ? 'text/javascript' : 'text/html'
    response.writeHead(200, { 'content-type': `${type}; charset=utf-8`, 'content-security-policy': POLICY })
    response.end(script ? outputFiles[0]?.text : PAGE)
  }).listen(0)
  await once(server, 'listening')
  browser = await launchBrowser()
})
afterEach(() => context?.close())
afterAll(async () => {
  await browser?.close()
  server?.close()
})

async function visit(colorScheme: 'light' | 'dark' = 'light'): Promise<Page> {
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('The server has no port')
  context = await browser.newContext({ colorScheme, reducedMotion: 'reduce', viewport: { width: 800, height: 560 } })
  const page = await context.newPage()
  await page.goto(`http://localhost:${address.port}/`)
  return page
}

async function connect(page: Page) {
  await page.evaluate('site.connect()')
  await page.getByRole('button', { name: 'Approve' }).click()
  expect(await page.evaluate('outcome')).toBe('done')
}

async function transfer(page: Page) {
  const from = new PublicKey(String(await page.evaluate('site.address()')))
  const transaction = new Transaction({ feePayer: from, recentBlockhash: Keypair.generate().publicKey.toBase58() })
  for (const lamports of [1, 2_000_000_000, 3_456_789])
    transaction.add(SystemProgram.transfer({ fromPubkey: from, toPubkey: Keypair.generate().publicKey, lamports }))
  const bytes = [...transaction.serialize({ requireAllSignatures: false })]
  await page.evaluate(`site.transaction(${JSON.stringify(bytes)})`)
}

async function problems(page: Page): Promise<unknown> {
  // Runs in the page's own realm, bypassing its content security policy.
  await page.evaluate(axe)
  return page.evaluate(
    'axe.run({ resultTypes: ["violations"] }).then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].failureSummary]))',
  )
}

describe.each(['light', 'dark'] as const)('%s', scheme => {
  it('no wallet window has axe violations', async () => {
    const page = await visit(scheme)
    expect(await problems(page)).toEqual([])
    await page.evaluate('site.connect()')
    expect(await problems(page)).toEqual([])
    await page.getByRole('dialog', { name: 'Connect' }).getByRole('button', { name: 'Approve' }).click()
    await transfer(page)
    await page.getByRole('dialog', { name: 'Approve transaction' }).waitFor()
    expect(await problems(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.evaluate('site.signIn()')
    await page.getByRole('dialog', { name: 'Sign in' }).waitFor()
    expect(await problems(page)).toEqual([])
    await page.evaluate('site.wallet.lock(); site.connect()')
    await page.getByRole('dialog', { name: 'Unlock wallet' }).waitFor()
    expect(await problems(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Open Sandbox Wallet' }).click()
    await page.getByRole('dialog', { name: 'Sandbox Wallet' }).waitFor()
    expect(await problems(page)).toEqual([])
  })
})

describe('keyboard', () => {
  it('approves a request with Tab and Enter, and ignores a key pressed too early', async () => {
    const page = await visit()
    await connect(page)
    await page.evaluate('site.message("hello")')
    const reject = page.getByRole('button', { name: 'Reject' })
    expect(await reject.evaluate(button => button.matches(':focus'))).toBe(true)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    expect(await page.evaluate('outcome')).toBe('done')
    await page.evaluate('site.message("again")')
    await page.keyboard.press('Enter')
    expect(await page.evaluate('outcome')).toBe('4001 User rejected the request.')
  })
  it('Escape refuses a request, and the next request opens the window again', async () => {
    const page = await visit()
    await page.evaluate('site.connect()')
    await page.keyboard.press('Escape')
    expect(await page.evaluate('outcome')).toBe('4001 User rejected the request.')
    await connect(page)
  })
  it('refusing one of two requests leaves the other request open', async () => {
    const page = await visit()
    await connect(page)
    await page.evaluate('site.message("first"); globalThis.first = outcome; site.message("second")')
    await page.keyboard.press('Escape')
    expect(await page.evaluate('first')).toBe('4001 User rejected the request.')
    expect(await page.getByRole('group', { name: 'Message' }).textContent()).toBe('second')
    await page.getByRole('button', { name: 'Approve' }).click()
    expect(await page.evaluate('outcome')).toBe('done')
  })
  it('keeps the focus in place when the control panel changes', async () => {
    const page = await visit()
    await page.getByRole('button', { name: 'Open Sandbox Wallet' }).press('Enter')
    const add = page.getByRole('button', { name: 'Add account' })
    await add.press('Enter')
    await page.getByRole('button', { name: 'Account 3' }).waitFor()
    expect(await add.evaluate(button => button.matches(':focus'))).toBe(true)
    await page.getByRole('button', { name: 'Lock wallet' }).press('Enter')
    const unlock = page.getByRole('button', { name: 'Unlock wallet' })
    expect(await unlock.evaluate(button => button.matches(':focus'))).toBe(true)
    await unlock.press('Enter')
    await page.getByRole('button', { name: 'Close' }).press('Enter')
    await connect(page)
    await page.getByRole('button', { name: 'Open Sandbox Wallet' }).press('Enter')
    await page.getByRole('button', { name: 'Disconnect this site' }).press('Enter')
    const close = page.getByRole('button', { name: 'Close' })
    expect(await close.evaluate(button => button.matches(':focus'))).toBe(true)
  })
})

it('another tab follows when the wallet switches accounts', async () => {
  const page = await visit()
  await connect(page)
  const other = await context.newPage()
  await other.goto(page.url())
  await other.evaluate('site.connect()')
  expect(await other.evaluate('outcome')).toBe('done')
  await page.evaluate('site.wallet.switchAccount(1)')
  await other.waitForFunction('site.address() === site.wallet.addresses[1]')
})
