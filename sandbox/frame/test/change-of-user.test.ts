/** Tests one user after the other on the same page: the frame belongs to the session's user. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { call, create, expectSigns, open } from './user.js'
import { setUpWorld } from './world.js'

const world = setUpWorld()

function signOut(page: Page): Promise<void> {
  return page.evaluate(() => window.host.keybay.account.signOut())
}

function countFrames(page: Page): Promise<number> {
  return page.locator('iframe').count()
}

it('the wallet serves the next user on the same page, even if the previous user never listed wallets', async () => {
  const { page, address } = await open(world)
  await signOut(page)
  expect(await countFrames(page)).toBe(0)
  await world.signIn(page)
  expect(await call(page, 'wallets')).toEqual([])
  const second = await create(page, 'TWO_OF_TWO')
  expect(second.address).not.toBe(address)
  await expectSigns(page, second.address)
})
