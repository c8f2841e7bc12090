/** Tests what a page cannot simulate: Chromium's own autofill and list of passkeys, against the real API. */
import { createServer, type Server } from 'node:http'
import type { AccountApi } from '@keybay/account'
import type { Core } from '@keybay/kernel'
import { startWorld, type World } from '@keybay/sandbox-api/testing/client'
import { launchBrowser } from '@keybay/sandbox-tools/launch-browser'
import { addAuthenticator, type VirtualAuthenticator } from '@keybay/sandbox-tools/testing/virtual-authenticator'
import { build } from 'esbuild'
import type { Browser, Page } from 'playwright-core'
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

async function bundlePage(baseApiUrl: string): Promise<string> {
  const contents = `
    import { account } from '@keybay/account'
    import { createKeybay } from '@keybay/kernel'
    import { passkey } from '@keybay/passkey'
    window.keybay = createKeybay({
      appName: 'Test', environmentId: 'local', baseApiUrl: '${baseApiUrl}', plugins: [account(), passkey()],
    })`
  const stdin = { resolveDir: import.meta.dirname, contents }
  const define = { 'process.env.NODE_ENV': '"production"' }
  const { outputFiles } = await build({ stdin, bundle: true, format: 'esm', write: false, define })
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
  script = await bundlePage(world.api.internalUrl)
}, 60_000)
afterAll(async () => {
  await chromium.close()
  await world.stop()
  server.close()
})

let page: Page
let device: VirtualAuthenticator
let errors: string[]
beforeEach(async () => {
  page = await chromium.newPage()
  errors = []
  page.on('console', message => message.type() === 'error' && errors.push(message.text()))
  page.on('pageerror', error => errors.push(String(error)))
  device = await addAuthenticator(page)
  await page.goto(origin)
  await page.waitForFunction(() => window.keybay !== undefined)
}, 30_000)
afterEach(() => page.close())

function signUp() {
  return page.evaluate(() => window.keybay.connect('passkey', { signUp: true, userName: 'ann@example.com' }))
}

it('deletes a passkey from the browser’s list when the user removes it', async () => {
  await signUp()
  await device.remove() // The next passkey is on another device.
  device = await addAuthenticator(page)
  await page.evaluate(async () => {
    const { connect, passkey, on } = window.keybay
    on('prompt:opened', ({ prompt }) => {
      if (prompt.type === 'choice') prompt.answer('add')
    })
    await connect('passkey', { userName: 'Ann', name: 'Phone' })
    const phone = (await passkey.list()).find(({ name }) => name === 'Phone')
    await passkey.remove(phone?.id ?? '')
  })
  await expect.poll(() => device.count()).toBe(0)
}, 30_000)
it('[S1.5] autofill waits, ends when a click connects, and signs in when the user picks a passkey', async () => {
  const session = await signUp()
  await page.evaluate(() => window.keybay.account.signOut())
  await page.reload()
  await page.waitForFunction(() => window.keybay !== undefined)
  await device.setPresence(false)
  const wait = () =>
    page.evaluate(() => {
      window.autofilled = window.keybay.passkey.autofill()
    })
  await wait()
  const left = page.evaluate(async () => {
    const leaving = new AbortController()
    const attempt = window.keybay.connect('passkey', undefined, { signal: leaving.signal })
    const ended = await window.autofilled
    leaving.abort()
    return attempt.then(
      () => 'in',
      error => [ended, error.code],
    )
  })
  expect(await left).toEqual([undefined, 'aborted'])
  await device.setPresence(true)
  await wait()
  expect(await page.evaluate(() => window.autofilled)).toEqual(session)
  expect(errors).toEqual([])
}, 30_000)

it('signs in at once with a passkey of the browser, and without one rejects before the browser shows anything', async () => {
  // A dialog would stay open, because no user touches the device.
  await device.setPresence(false)
  const attempt = () =>
    page.evaluate(() =>
      window.keybay.connect('passkey', { immediate: true }).then(
        session => session,
        ({ code }) => code,
      ),
    )
  expect(await attempt()).toBe('user_rejected')
  await device.setPresence(true)
  const session = await signUp()
  await page.evaluate(() => window.keybay.account.signOut())
  expect(await attempt()).toEqual(session)
  expect(errors).toEqual([])
}, 30_000)
