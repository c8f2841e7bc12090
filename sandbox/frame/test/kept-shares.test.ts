/**
 * Tests the shipped frame with a relay that lies: the relay's claims, and what the user may do with a share that no
 * longer signs.
 */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { join, revoke } from './join.js'
import { create, isSignature, press, reshare, sign } from './person.js'
import { getWallet } from './restore.js'
import { getFrame, setUpWorld } from './world.js'

const world = setUpWorld()

function outcomeOfSigning(page: Page, address: string) {
  return page.evaluate(address => window.host.outcome(window.host.signMessage(address, 'hello')), address)
}

it('keeps the share of a revoked browser sealed until the user agrees to erase it', async () => {
  const home = await world.visit()
  const person = await world.signIn(home)
  const { address } = await create(home, 'TWO_OF_TWO')
  await getWallet(home)
  const laptop = await world.visit(await world.newContext())
  await world.signIn(laptop, person)
  await getWallet(laptop)
  await join(home, laptop, address)
  const set = (await getWallet(laptop))?.sets.find(({ here }) => here)
  await revoke(home, address, set?.setId)
  const after = await getWallet(laptop)
  expect(after?.sets.find(({ setId }) => setId === set?.setId)).toMatchObject({
    revoked: true,
    here: false,
    kept: true,
  })
  expect(await outcomeOfSigning(laptop, address)).toMatchObject({ code: 'set_revoked' })
  // A hidden frame erases nothing: the user must see the question and answer it.
  await laptop.bringToFront()
  const ask = () =>
    laptop.evaluate(([address, setId]) => window.host.outcome(window.host.keybay.waas.revokeSet(address, setId)), [
      address,
      set?.setId ?? '',
    ] as const)
  const declined = ask()
  const asked = await getFrame(laptop, 'visible')
  await asked.getByRole('heading', { name: 'Erase the key share in this browser?' }).waitFor()
  await press(asked.getByRole('button', { name: 'Cancel' }))
  expect((await declined).code).toBe('user_rejected')
  expect((await getWallet(laptop))?.sets.find(({ kept }) => kept)).toBeDefined()
  const erasing = ask()
  await press((await getFrame(laptop, 'visible')).getByRole('button', { name: 'Erase', exact: true }))
  expect((await erasing).code).toBeUndefined()
  expect((await getWallet(laptop))?.sets.find(({ kept }) => kept)).toBeUndefined()
  // The browser may join again.
  await join(home, laptop, address)
  expect(isSignature(address, 'again', await sign(laptop, address, 'again'))).toBe(true)
})

it('keeps both shares when R1 neither commits nor returns a record, and the same refresh succeeds later', async () => {
  const page = await world.visit()
  await world.signIn(page)
  const { address } = await create(page, 'TWO_OF_TWO')
  await page.route(/\/(commit|state)$/, route =>
    route.fulfill({ status: 404, json: { code: 'ceremony_not_found', message: 'No.' } }),
  )
  const refused = await page.evaluate(address => window.host.outcome(window.host.keybay.waas.refresh(address)), address)
  expect(refused.code).toBe('ceremony_not_found')
  await page.unroute(/\/(commit|state)$/)
  expect(isSignature(address, 'still', await sign(page, address, 'still'))).toBe(true)
  expect((await reshare(page, address, 'refresh', false)).wallet.epoch).toBe(1)
  expect(isSignature(address, 'then', await sign(page, address, 'then'))).toBe(true)
})
