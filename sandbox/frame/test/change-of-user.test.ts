/** Tests one user after the other on the same page: the frame belongs to the session's user. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { create, isSignature, sign } from './person.js'
import { getFrame, setUpWorld } from './world.js'

const world = setUpWorld()

function signOut(page: Page): Promise<void> {
  return page.evaluate(() => window.host.keybay.account.signOut())
}

function wallets(page: Page) {
  return page.evaluate(() => window.host.keybay.waas.wallets())
}

function frames(page: Page): Promise<number> {
  return page.locator('iframe').count()
}

it('the wallet serves the next user on the same page, even if the previous user never listed wallets', async () => {
  const page = await world.visit()
  await world.signIn(page)
  const first = await create(page, 'TWO_OF_TWO')
  await signOut(page)
  expect(await frames(page)).toBe(0)
  await world.signIn(page)
  expect(await wallets(page)).toEqual([])
  const second = await create(page, 'TWO_OF_TWO')
  expect(second.address).not.toBe(first.address)
  expect(isSignature(second.address, 'mine', await sign(page, second.address, 'mine'))).toBe(true)
})

it('a sign-out closes the wallet’s window, and ends the pending operation with session_changed', async () => {
  const page = await world.visit()
  const user = await world.signIn(page)
  const { address } = await create(page, 'TWO_OF_TWO')
  const copying = page.evaluate(
    address => window.host.outcome(window.host.keybay.waas.exportClientKeyshares(address)),
    address,
  )
  await (await getFrame(page, 'visible')).getByRole('heading', { level: 1 }).waitFor()
  await signOut(page)
  expect((await copying).code).toBe('session_changed')
  expect(await frames(page)).toBe(0)
  await world.signIn(page, user)
  expect((await wallets(page))[0]).toMatchObject({ accountAddress: address, here: true })
})

it('a sign-out in another tab closes the wallet in this tab too, which then serves the next user', async () => {
  const context = await world.newContext()
  const page = await world.visit(context)
  await world.signIn(page)
  const { address } = await create(page, 'TWO_OF_TWO')
  const other = await world.visit(context)
  await signOut(other)
  await page.waitForFunction(() => window.host.keybay.session.current.status === 'anonymous')
  expect(await frames(page)).toBe(0)
  await world.signIn(other)
  await page.waitForFunction(() => window.host.keybay.session.current.status === 'authenticated')
  expect(await wallets(page)).toEqual([])
  const made = await create(page, 'TWO_OF_TWO')
  expect(made.address).not.toBe(address)
})
