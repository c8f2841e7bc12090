/** Tests one user after the other on the same page: the frame belongs to the session's user. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { attempt, call, create, expectSigns, open } from './user.js'
import { getFrame, setUpWorld } from './world.js'

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

it('a sign-out closes the wallet’s window, and ends the pending operation with session_changed', async () => {
  const { page, user, address } = await open(world)
  const copying = attempt(page, 'exportClientKeyshares', address)
  await (await getFrame(page, 'visible')).getByRole('heading', { level: 1 }).waitFor()
  await signOut(page)
  expect((await copying).code).toBe('session_changed')
  expect(await countFrames(page)).toBe(0)
  await world.signIn(page, user)
  expect((await call(page, 'wallets'))[0]).toMatchObject({ accountAddress: address, here: true })
})

it('a sign-out in another tab closes the wallet in this tab too, which then serves the next user', async () => {
  const { page, address } = await open(world)
  const other = await world.visit(page.context())
  await signOut(other)
  await page.waitForFunction(() => window.host.keybay.session.current.status === 'anonymous')
  expect(await countFrames(page)).toBe(0)
  await world.signIn(other)
  await page.waitForFunction(() => window.host.keybay.session.current.status === 'authenticated')
  expect(await call(page, 'wallets')).toEqual([])
  expect((await create(page, 'TWO_OF_TWO')).address).not.toBe(address)
})
