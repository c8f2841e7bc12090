/** Tests several devices: the same user on a second site and in a second profile, and what a device may be denied. */
import { randomBytes } from 'node:crypto'
import { typeJoinCode } from '@keybay/sandbox-tools/testing/join-code'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { joinDevice, revoke } from './recover.js'
import { agree, attempt, attemptAgreed, attemptSign, enter, expectSigns, open, press, readWallet } from './user.js'
import { getFrame, setUpWorld } from './world.js'

const world = setUpWorld()

it('adds a second site and a second profile, each with its own share set; a revoked set no longer signs', async () => {
  const { page: home, user, address } = await open(world)
  // The same browser on another site: that site's frame has its own storage.
  const { page: other } = await enter(world, user, await world.visit(home.context(), 'other'))
  expect(await readWallet(other)).toMatchObject({ here: false })
  expect((await attemptSign(other, address)).message).toBe(
    'This browser has no key share of the wallet. Restore it, or add this device',
  )
  await readWallet(home)
  await joinDevice(home, other, address)
  // Another profile, as on another computer.
  const { page: laptop } = await enter(world, user)
  await readWallet(laptop)
  await joinDevice(home, laptop, address)
  await expectSigns(laptop, address)
  const wallet = await readWallet(home)
  expect(wallet?.sets.map(({ kind }) => kind).toSorted()).toEqual(['device', 'device', 'primary'])
  expect(wallet?.epoch).toBe(0)
  // Revoked from home: the laptop's share is now worthless, and the other shares still sign.
  const laptopSet = (await readWallet(laptop))?.sets.find(({ here }) => here)
  const title = await revoke(home, address, laptopSet?.setId)
  expect(title).toBe(`Revoke the device “${new URL(laptop.url()).host}”?`)
  expect((await attemptAgreed(laptop, address)).code).toMatch(/^(set_revoked|frame_share_elsewhere)$/)
  await expectSigns(home, address)
  await expectSigns(other, address)
})

it('keeps the share of a revoked browser sealed until the user agrees to erase it, and the browser may join again', async () => {
  const { page: home, user, address } = await open(world)
  const { page: laptop } = await enter(world, user)
  await Promise.all([readWallet(home), readWallet(laptop)])
  await joinDevice(home, laptop, address)
  const setId = (await readWallet(laptop))?.sets.find(({ here }) => here)?.setId ?? ''
  await revoke(home, address, setId)
  const after = await readWallet(laptop)
  expect(after?.sets.find(set => set.setId === setId)).toMatchObject({ revoked: true, here: false, kept: true })
  expect(await attemptAgreed(laptop, address)).toMatchObject({ code: 'set_revoked' })
  // A hidden frame erases nothing: the user must see the question and answer it.
  await laptop.bringToFront()
  const declined = attempt(laptop, 'revokeSet', address, setId)
  const frame = await getFrame(laptop, 'visible')
  await frame.getByRole('heading', { name: 'Erase the key share in this browser?' }).waitFor()
  await agree(laptop, 'Cancel')
  expect((await declined).code).toBe('user_rejected')
  expect((await readWallet(laptop))?.sets.find(({ kept }) => kept)).toBeDefined()
  const erasing = attempt(laptop, 'revokeSet', address, setId)
  await agree(laptop, 'Erase')
  expect((await erasing).code).toBeUndefined()
  expect((await readWallet(laptop))?.sets.find(({ kept }) => kept)).toBeUndefined()
  await joinDevice(home, laptop, address)
  await expectSigns(laptop, address)
})

/** Asks to join from a new browser. */
async function askToJoin(user: string, address: string) {
  const { page } = await enter(world, user)
  await readWallet(page)
  const asking = attempt(page, 'addDevice', address)
  const shown = await getFrame(page, 'visible')
  const code = (await shown.locator('pre.code').textContent()) ?? ''
  const cancel = async () => {
    await page.bringToFront()
    await press(shown.getByRole('button', { name: 'Cancel', exact: true }))
    expect((await asking).code).toBe('user_rejected')
  }
  return { code, asking, cancel }
}

/** Counts the dealings that leave the page. */
function countDealings(page: Page): () => number {
  let count = 0
  page.on('request', request => {
    if (request.url().endsWith('/reshare/begin')) count += 1
  })
  return () => count
}

it('deals to no key that a lying relay lists in place of the new device’s keys', async () => {
  const { page: home, user, address } = await open(world)
  await readWallet(home)
  const dealings = countDealings(home)
  const { code, cancel } = await askToJoin(user, address)
  await home.bringToFront()
  for (const key of ['sealingKey', 'deviceKey']) {
    const listed = '**/joins/list'
    await home.context().route(listed, async route => {
      const response = await route.fetch()
      const { joins } = await response.json()
      const lie = { [key]: randomBytes(32).toString('base64url') }
      await route.fulfill({ response, json: { joins: joins.map((join: object) => ({ ...join, ...lie })) } })
    })
    const admitting = attempt(home, 'addDevice', address)
    const frame = await getFrame(home, 'visible')
    await typeJoinCode(frame, code)
    await press(frame.getByRole('button', { name: 'Add', exact: true }))
    await frame.getByRole('alert').getByText('That isn’t the code of a device that asks.').waitFor()
    await agree(home, 'Cancel')
    expect((await admitting).code).toBe('user_rejected')
    await home.context().unroute(listed)
  }
  expect(dealings()).toBe(0)
  await cancel()
})

it('adds no device by a click alone; each wrong entry says what to do, and the keyboard is enough', async () => {
  const { page: home, user, address } = await open(world)
  await readWallet(home)
  const dealings = countDealings(home)
  const { code, asking } = await askToJoin(user, address)
  await home.bringToFront()
  const admitting = attempt(home, 'addDevice', address)
  const frame = await getFrame(home, 'visible')
  expect(await frame.getByRole('main').textContent()).not.toContain(code.slice(0, 6))
  await press(frame.getByRole('button', { name: 'Add', exact: true }))
  const alert = frame.getByRole('alert')
  await alert.getByText('Enter both groups, six characters each.').waitFor()
  await typeJoinCode(frame, code)
  const [first, second] = [frame.getByLabel(/^Group/).nth(0), frame.getByLabel(/^Group/).nth(1)]
  const right = await first.inputValue()
  await first.fill(await second.inputValue())
  await first.press('Enter')
  await alert.getByText('Check it, or cancel and start again on the new device.').waitFor()
  expect(dealings()).toBe(0)
  await first.fill(right)
  await first.press('Enter')
  expect((await admitting).code).toBeUndefined()
  expect((await asking).code).toBeUndefined()
  expect(dealings()).toBe(1)
})

it('reports that no other device is waiting to be added', async () => {
  const { page, address } = await open(world)
  await readWallet(page)
  expect((await attempt(page, 'addDevice', address)).message).toBe('No other device is waiting to be added')
})
