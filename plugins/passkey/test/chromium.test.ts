/** Tests passkeys in Chromium, with its own WebAuthn and a virtual authenticator, against the real API. */
import { createServer, type Server } from 'node:http'
import type { AccountApi } from '@keybay/account'
import type { Core } from '@keybay/kernel'
import { startWorld, type World } from '@keybay/sandbox-api/testing/client'
import { launchBrowser } from '@keybay/sandbox-tools/launch-browser'
import { build } from 'esbuild'
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import type { PasskeyApi } from '../src/index.js'

declare global {
  interface Window {
    keybay: Core & { readonly account: AccountApi; readonly passkey: PasskeyApi }
    autofilled: Promise<unknown>
  }
}

const HTML =
  '<!doctype html><title>test</title><input autocomplete="username webauthn"><script type="module" src="/page.js"></script>'

async function scriptFor(baseApiUrl: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      resolveDir: import.meta.dirname,
      contents: `
        import { account } from '@keybay/account'
        import { createKeybay } from '@keybay/kernel'
        import { passkey } from '@keybay/passkey'
        window.keybay = createKeybay({
          appName: 'Test', environmentId: 'local', baseApiUrl: '${baseApiUrl}', plugins: [account(), passkey()],
        })`,
    },
    bundle: true,
    format: 'esm',
    write: false,
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  return outputFiles[0]?.text ?? ''
}

let server: Server
let world: World
let chromium: Browser
let origin: string
beforeAll(async () => {
  let script = ''
  server = createServer((request, response) => {
    const isScript = request.url === '/page.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    response.end(isScript ? script : HTML)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  origin = `http://localhost:${typeof address === 'object' ? address?.port : ''}`
  const environments = { local: { name: 'Acme', allowedOrigins: [origin] } }
  ;[world, chromium] = await Promise.all([startWorld({ environments }), launchBrowser()])
  script = await scriptFor(world.api.internalUrl)
}, 60_000)
afterAll(async () => {
  await chromium.close()
  await world.stop()
  server.close()
})

let context: BrowserContext
let page: Page
let cdp: CDPSession
let authenticatorId: string
let troubles: string[]
beforeEach(async () => {
  context = await chromium.newContext()
  page = await context.newPage()
  troubles = []
  page.on('console', message => {
    if (message.type() === 'error') troubles.push(message.text())
  })
  page.on('pageerror', error => troubles.push(String(error)))
  cdp = await context.newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  await plugIn()
  await page.goto(origin)
  await page.waitForFunction(() => window.keybay !== undefined)
}, 30_000)
afterEach(() => context.close())

async function plugIn() {
  const options = { hasResidentKey: true, hasUserVerification: true, isUserVerified: true }
  const added = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: { protocol: 'ctap2', transport: 'internal', ...options },
  })
  authenticatorId = added.authenticatorId
}
/** Simulates a finger on the authenticator, or its absence. */
function present(enabled: boolean) {
  return cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
}

function signUp(userName = 'ann@example.com') {
  return page.evaluate(name => window.keybay.connect('passkey', { signUp: true, userName: name }), userName)
}

function signIn() {
  return page.evaluate(() => window.keybay.connect('passkey'))
}

function signOut() {
  return page.evaluate(() => window.keybay.account.signOut())
}

function getCode() {
  return page.evaluate(() =>
    window.keybay.connect('passkey').then(
      () => undefined,
      error => error.code,
    ),
  )
}

it('[S1.5] Chromium signs up with a passkey, signs out, and signs in again after a reload', async () => {
  const session = await signUp()
  expect(session).toMatchObject({ status: 'authenticated' })
  const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId })
  expect(credentials).toMatchObject([{ rpId: 'localhost', isResidentCredential: true, userName: 'ann@example.com' }])
  await signOut()
  await page.reload()
  await page.waitForFunction(() => window.keybay !== undefined)
  expect(await signIn()).toEqual(session)
  expect(troubles).toEqual([])
}, 30_000)

it('links a passkey once per device, renames it, and deletes it from the authenticator when removed', async () => {
  await signUp()
  expect(await getCode()).toBe('webauthn_identifier_missing')
  const exists = await page.evaluate(() =>
    window.keybay.connect('passkey', { userName: 'Ann' }).catch(error => error.code),
  )
  expect(exists).toBe('passkey_exists')
  // Simulates another device.
  await cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
  await plugIn()
  await page.evaluate(() => window.keybay.connect('passkey', { userName: 'Ann', name: 'Phone' }))
  const names = await page.evaluate(async () => {
    const phone = (await window.keybay.passkey.list()).find(({ name }) => name === 'Phone')
    const renamed = await window.keybay.passkey.rename(phone?.id ?? '', 'Tablet')
    await window.keybay.passkey.remove(renamed.id)
    return [renamed.name, ...(await window.keybay.passkey.list()).map(({ name }) => name)]
  })
  expect(names).toEqual(['Tablet', 'Passkey'])
  await expect
    .poll(async () => (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials)
    .toEqual([])
}, 30_000)

it('[S8.8] a browser dialog that ends without a passkey is only a warning', async () => {
  const warnings: string[] = []
  page.on('console', message => {
    if (message.type() === 'warning') warnings.push(message.text())
  })
  expect(await getCode()).toBe('user_rejected')
  expect(warnings).toEqual([expect.stringContaining('[keybay] passkey')])
  expect(troubles).toEqual([])
  expect(await signUp()).toMatchObject({ status: 'authenticated' })
}, 30_000)

it('autofill waits, ends when a click connects, and signs in when the user picks a passkey', async () => {
  const session = await signUp()
  await signOut()
  await present(false)
  const wait = () =>
    page.evaluate(() => {
      window.autofilled = window.keybay.passkey.autofill()
    })
  await wait()
  const left = page.evaluate(() => {
    const leaving = new AbortController()
    const attempt = window.keybay.connect('passkey', undefined, { signal: leaving.signal })
    return window.autofilled.then(ended => {
      leaving.abort()
      return attempt.then(
        () => 'in',
        error => [ended, error.code],
      )
    })
  })
  expect(await left).toEqual([undefined, 'aborted'])
  await present(true)
  await wait()
  expect(await page.evaluate(() => window.autofilled)).toEqual(session)
  expect(troubles).toEqual([])
}, 30_000)
