/**
 * Tests several devices: the same user on a second site and in a second browser profile, and what a device may be
 * denied.
 */
import { randomBytes } from 'node:crypto'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { addDevice, join, revoke } from './join.js'
import { create, isSignature, press, sign } from './person.js'
import { getFrame, setUpWorld } from './world.js'

const world = setUpWorld()

async function getWallet(page: Page) {
  return (await page.evaluate(() => window.host.keybay.waas.wallets()))[0]
}

it('adds a second site and a second profile, each with its own share set; a revoked set no longer signs', async () => {
  const context = await world.newContext()
  const home = await world.visit(context)
  const person = await world.signIn(home)
  const { address } = await create(home, 'TWO_OF_TWO')
  // The same browser on another site: that site's frame has its own storage.
  const other = await world.visit(context, 'other')
  await world.signIn(other, person)
  expect(await getWallet(other)).toMatchObject({ here: false })
  const outcome = await other.evaluate(
    address => window.host.outcome(window.host.signMessage(address, 'not yet')),
    address,
  )
  expect(outcome.message).toBe('This browser has no key share of the wallet. Restore it, or add this device')
  await getWallet(home)
  await join(home, other, address)
  expect(isSignature(address, 'from the other site', await sign(other, address, 'from the other site'))).toBe(true)
  // Another profile, as on another computer.
  const laptop = await world.visit(await world.newContext())
  await world.signIn(laptop, person)
  await getWallet(laptop)
  await join(home, laptop, address)
  expect(isSignature(address, 'laptop', await sign(laptop, address, 'laptop'))).toBe(true)
  const wallet = await getWallet(home)
  expect(wallet?.sets.map(({ kind }) => kind).toSorted()).toEqual(['device', 'device', 'primary'])
  expect(wallet?.epoch).toBe(0)
  // Revoked from home: the laptop's share is now worthless, and the other shares still sign.
  const laptopSet = (await getWallet(laptop))?.sets.find(({ here }) => here)
  if (!laptopSet) throw new Error('no set')
  const title = await revoke(home, address, laptopSet.setId)
  expect(title).toBe(`Revoke the device “${new URL(laptop.url()).host}”?`)
  const refused = await laptop.evaluate(
    address => window.host.outcome(window.host.signMessage(address, 'again')),
    address,
  )
  expect(refused.code).toMatch(/^(set_revoked|frame_share_elsewhere)$/)
  expect(isSignature(address, 'home', await sign(home, address, 'home'))).toBe(true)
  expect(isSignature(address, 'other', await sign(other, address, 'other'))).toBe(true)
})

it('shows a different device code if a relay replaced the key of the new device', async () => {
  const context = await world.newContext()
  const home = await world.visit(context)
  const person = await world.signIn(home)
  const { address } = await create(home, 'TWO_OF_TWO')
  const laptop = await world.visit(await world.newContext())
  await world.signIn(laptop, person)
  await Promise.all([getWallet(home), getWallet(laptop)])
  const asking = addDevice(laptop, address)
  const shown = await getFrame(laptop, 'visible')
  const code = (await shown.locator('pre.code').textContent()) ?? ''
  await context.route('**/joins/list', async route => {
    const response = await route.fetch()
    const { joins } = await response.json()
    const mine = randomBytes(32).toString('base64url')
    await route.fulfill({ response, json: { joins: joins.map((join: object) => ({ ...join, sealingKey: mine })) } })
  })
  await home.bringToFront()
  const admitting = addDevice(home, address)
  const frame = await getFrame(home, 'visible')
  const words = await frame.getByText(/^It shows the code /).textContent()
  expect(words).not.toContain(code)
  await press(frame.getByRole('button', { name: 'Cancel', exact: true }))
  expect((await admitting).code).toBe('user_rejected')
  await laptop.bringToFront()
  await press(shown.getByRole('button', { name: 'Cancel', exact: true }))
  expect((await asking).code).toBe('user_rejected')
})

it('reports that no other device is waiting to be added', async () => {
  const page = await world.visit()
  await world.signIn(page)
  const { address } = await create(page, 'TWO_OF_TWO')
  await getWallet(page)
  expect((await addDevice(page, address)).message).toBe('No other device is waiting to be added')
})
