/** Creation at sign-in in Chromium: two tabs of one browser, the real relays, and the host's own sign-in. */
import { expect, it } from 'vitest'
import { call, enter, expectSigns } from './user.js'
import { setUpWorld } from './world.js'

const world = setUpWorld()

it('signing in creates one wallet in the background for two tabs of a user, without a window, and it signs', async () => {
  const context = await world.newContext()
  const [page, other] = [await world.visit(context), await world.visit(context)]
  for (const tab of [page, other]) {
    await tab.goto(`${tab.url()}&creates=`)
    await tab.waitForFunction(() => 'host' in window)
  }
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
