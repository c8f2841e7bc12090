/** Creation at sign-in in Chromium: two tabs of one browser, the real relays, and the host's own sign-in. */
import { addAuthenticator } from '@keybay/sandbox-tools/testing/virtual-authenticator'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { agree, call, enter, expectSigns } from './user.js'
import { setUpWorld } from './world.js'

const world = setUpWorld()

/** Loads the host's page again, as that of an app whose users get a wallet when they sign in. */
async function createsOnLogin(page: Page): Promise<void> {
  await page.goto(`${page.url()}&creates=`)
  await page.waitForFunction(() => 'host' in window)
}

it('signing in creates one wallet in the background for two tabs of a user, without a window, and it signs', async () => {
  const context = await world.newContext()
  const [page, other] = [await world.visit(context), await world.visit(context)]
  for (const tab of [page, other]) await createsOnLogin(tab)
  world.requests.length = 0
  await enter(world, undefined, page)
  await expect.poll(() => call(page, 'wallets')).toHaveLength(1)
  const [wallet] = await call(page, 'wallets')
  expect(wallet).toMatchObject({ here: true, thresholdSignatureScheme: 'TWO_OF_TWO', backup: { state: 'none' } })
  expect(await call(other, 'wallets')).toMatchObject([{ accountAddress: wallet?.accountAddress, here: true }])
  expect(world.requests.filter(path => path.endsWith('/create/finish'))).toHaveLength(1)
  expect(await page.locator('dialog').count()).toBe(0)
  await expectSigns(page, wallet?.accountAddress ?? '')
  await expectSigns(other, wallet?.accountAddress ?? '')
})

it('where the relay refuses a wallet without a backup, one click of a new user makes a passkey and the wallet of three shares', async () => {
  const page = await world.visit()
  await addAuthenticator(page)
  await createsOnLogin(page)
  const refusal = { code: 'replica_required', message: 'This relay makes only wallets that have a backup' }
  await page.route('**/wallets/create/begin', (route, request) =>
    request.postData()?.includes('TWO_OF_TWO')
      ? route.fulfill({ status: 403, headers: { 'access-control-allow-origin': '*' }, json: refusal })
      : route.continue(),
  )
  await enter(world, undefined, page)
  await agree(page, 'Back up')
  await expect.poll(() => call(page, 'wallets')).toHaveLength(1)
  const [wallet] = await call(page, 'wallets')
  expect(wallet).toMatchObject({
    here: true,
    thresholdSignatureScheme: 'TWO_OF_THREE',
    backup: { state: 'current', providers: ['dynamic'] },
  })
  await expectSigns(page, wallet?.accountAddress ?? '')
})
