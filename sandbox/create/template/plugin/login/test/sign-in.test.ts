// @vitest-environment happy-dom
/** Signs in through the `account` plugin; `api.ts` says which API answers. */
import { account } from '@keybay/account'
import { createKeybay } from '@keybay/kernel'
import { afterAll, afterEach, expect, it } from 'vitest'
import { acmeName } from '../src/index.js'
import { startApi } from './api.js'

const api = await startApi()
afterAll(() => api.stop())
afterEach(() => localStorage.clear())

function openPage(getToken: () => Promise<string>) {
  return createKeybay({
    appName: 'Test',
    baseApiUrl: api.url,
    logLevel: 'silent',
    plugins: [account(), acmeName({ getToken })],
  })
}

it('signs a user in with a valid token, and keeps the session after a reload', async () => {
  const page = openPage(() => api.tokenFor('ann'))
  const session = await page.account.signIn('acme-name')
  expect(session).toEqual({ status: 'authenticated', userId: expect.any(String) })
  expect(page.account.user.current.user?.credentials).toMatchObject([{ method: 'externalUser', externalUserId: 'ann' }])
  page.dispose()

  const reloaded = openPage(() => api.tokenFor('ann'))
  await reloaded.session.bearer()
  expect(reloaded.session.current).toEqual(session)
  reloaded.dispose()
})
it('refuses a token that the API does not accept', async () => {
  const page = openPage(async () => 'token-of-another-issuer')
  await expect(page.account.signIn('acme-name')).rejects.toMatchObject({ code: 'invalid_external_token' })
  expect(page.session.current.status).not.toBe('authenticated')
  page.dispose()
})
