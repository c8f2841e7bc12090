/** Tests several devices: the same user on a second site and in a second profile, and what a device may be denied. */
import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { joinDevice, revoke } from './recover.js'
import { agree, attempt, attemptSign, enter, expectSigns, open, press, readWallet } from './user.js'
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
  await expectSigns(other, address)
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
  expect((await attemptSign(laptop, address)).code).toMatch(/^(set_revoked|frame_share_elsewhere)$/)
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
  expect(await attemptSign(laptop, address)).toMatchObject({ code: 'set_revoked' })
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

it('shows a different device code if a relay replaced the key of the new device', async () => {
  const { page: home, user, address } = await open(world)
  const { page: laptop } = await enter(world, user)
  await Promise.all([readWallet(home), readWallet(laptop)])
  const asking = attempt(laptop, 'addDevice', address)
  const shown = await getFrame(laptop, 'visible')
  const code = (await shown.locator('pre.code').textContent()) ?? ''
  await home.context().route('**/joins/list', async route => {
    const response = await route.fetch()
    const { joins } = await response.json()
    const sealingKey = randomBytes(32).toString('base64url')
    await route.fulfill({ response, json: { joins: joins.map((join: object) => ({ ...join, sealingKey })) } })
  })
  await home.bringToFront()
  const admitting = attempt(home, 'addDevice', address)
  const frame = await getFrame(home, 'visible')
  expect(await frame.getByText(/^It shows the code /).textContent()).not.toContain(code)
  await agree(home, 'Cancel')
  expect((await admitting).code).toBe('user_rejected')
  await laptop.bringToFront()
  await press(shown.getByRole('button', { name: 'Cancel', exact: true }))
  expect((await asking).code).toBe('user_rejected')
})

it('reports that no other device is waiting to be added', async () => {
  const { page, address } = await open(world)
  await readWallet(page)
  expect((await attempt(page, 'addDevice', address)).message).toBe('No other device is waiting to be added')
})
