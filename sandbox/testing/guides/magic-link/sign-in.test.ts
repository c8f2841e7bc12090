// @vitest-environment happy-dom
/** Signs in with a link through `account()` and the real product API. */
import { account } from '@keybay/account'
import { createKeybay } from '@keybay/kernel'
import { asked, startWorld, type World } from '@keybay/sandbox-api/testing/page-world'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { magicLink } from './index.js'
import { startTestServer, type TestServer } from './test-server.js'

let world: World
let server: TestServer
/** Addresses to which the page left. */
let left: string[]
beforeAll(async () => {
  world = await startWorld()
  server = await startTestServer(world.externalToken)
})
afterAll(async () => {
  server?.stop()
  await world?.stop()
})
beforeEach(() => {
  left = []
  vi.spyOn(location, 'assign').mockImplementation(url => void left.push(String(url)))
})
afterEach(() => {
  vi.restoreAllMocks()
  localStorage.clear()
  history.replaceState(null, '', '/')
})

function openPage(address = '/') {
  history.replaceState(null, '', address)
  return createKeybay({
    appName: 'Test',
    baseApiUrl: world.url,
    logLevel: 'silent',
    plugins: [account(), magicLink({ serverUrl: server.url, sentUrl: '/check-your-mail' })],
  })
}
type Page = ReturnType<typeof openPage>

/** Asks for a link, leaves the page, and returns the link in the mail. */
async function requestLink(email: string): Promise<string> {
  const page = openPage('/shop?item=1')
  page.account.signIn('magic-link').catch(() => {}) // ends with the page
  const prompt = await asked(page, 'magic-link')
  prompt.answer('no address')
  const again = await asked(page, 'magic-link', prompt)
  expect(again.error?.code).toBe('invalid_email')
  again.answer(email)
  await expect.poll(() => left).toEqual(['/check-your-mail'])
  page.dispose()
  return server.newestLink()
}

function ended(page: Page): Promise<string | undefined> {
  return new Promise(resolve => {
    const look = () => {
      const attempt = page.attempts.get('magic-link')
      if (attempt?.status === 'succeeded') resolve(page.session.current.status)
      if (attempt?.status === 'failed') resolve(attempt.error?.code)
    }
    page.attempts.subscribe(look)
    look()
  })
}

it('the link in the mail signs in where the user left the app, and the session survives a reload', async () => {
  const link = await requestLink('ann@example.com')
  const page = openPage(link)
  expect(await ended(page)).toBe('authenticated')
  expect(`${location.pathname}${location.search}`).toBe('/shop?item=1')
  const user = await page.account.user.refresh()
  expect(user?.credentials).toMatchObject([{ method: 'externalUser', externalUserId: 'ann@example.com' }])
  page.dispose()
  const reloaded = openPage()
  expect(await reloaded.session.bearer()).toEqual(expect.any(String))
  reloaded.dispose()
})

it('a link signs in once', async () => {
  const link = await requestLink('ben@example.com')
  const first = openPage(link)
  expect(await ended(first)).toBe('authenticated')
  await first.account.signOut()
  first.dispose()
  const second = openPage(link)
  expect(await ended(second)).toBe('redirect_unexpected')
  expect(second.session.current.status).toBe('anonymous')
  second.dispose()
})

it('a link that another browser asked for does not sign in, and is not redeemed', async () => {
  const link = await requestLink('cam@example.com')
  localStorage.clear() // another browser
  const requests = vi.spyOn(globalThis, 'fetch')
  const page = openPage(link)
  expect(await ended(page)).toBe('redirect_unexpected')
  expect(page.session.current.status).toBe('anonymous')
  expect(location.search).toBe('?item=1')
  expect(requests.mock.calls.map(([url]) => url)).not.toContain(`${server.url}/tokens`)
  page.dispose()
})

it('the server refuses a code that it did not send', async () => {
  const link = new URL(await requestLink('dee@example.com'))
  link.searchParams.set('magic_code', 'guessed')
  const page = openPage(link.href)
  expect(await ended(page)).toBe('request_failed')
  page.dispose()
})
