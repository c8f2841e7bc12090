/**
 * Tests wallets restored from a backup: as one more device, in place of a lost one, and from every file that does not
 * fit.
 */
import type { Page } from 'playwright-core'
import { expect, it, vi } from 'vitest'
import { chooseFile, create, isSignature, press, reshare, sign } from './person.js'
import { agreeToRestore, beginRestore, getWallet, restore, saved, unlock } from './restore.js'
import { getFrame, setUpWorld } from './world.js'

// Passwords are derived several times, which takes time on a slow machine.
vi.setConfig({ testTimeout: 300_000 })
const world = setUpWorld()

function trySign(page: Page, address: string) {
  return page.evaluate(address => window.host.outcome(window.host.signMessage(address, 'hello')), address)
}

async function newProfile(person: string): Promise<Page> {
  const page = await world.visit(await world.newContext())
  await world.signIn(page, person)
  return page
}

async function made(scheme: 'TWO_OF_THREE' | 'THREE_OF_FIVE') {
  const old = await world.visit(await world.newContext())
  const person = await world.signIn(old)
  const { address, file } = await create(old, scheme)
  if (!file) throw new Error('no backup')
  return { old, person, address, file }
}

it('[S1.12] restores a 3/5 wallet on an additional device: both devices sign, and the backup stays valid', async () => {
  const { old, person, address, file } = await made('THREE_OF_FIVE')
  const page = await newProfile(person)
  expect(await getWallet(page)).toMatchObject({ here: false, accountAddress: address })
  expect((await restore(page, address, 'add-device', file)).outcome).toMatchObject({
    value: { accountAddress: address, here: true, epoch: 0, backup: { state: 'current' } },
  })
  expect(isSignature(address, 'restored', await sign(page, address, 'restored'))).toBe(true)
  expect(isSignature(address, 'old', await sign(old, address, 'old'))).toBe(true)
})

it('[S1.12] replaces the lost device of a 2/3 wallet: its share never signs again, and the old backup is refused', async () => {
  const { old, person, address, file } = await made('TWO_OF_THREE')
  const page = await newProfile(person)
  expect((await restore(page, address, 'replace-device', file)).outcome).toMatchObject({
    value: { accountAddress: address, here: true, epoch: 1, backup: { state: 'current' } },
  })
  expect(isSignature(address, 'new', await sign(page, address, 'new'))).toBe(true)
  expect((await trySign(old, address)).code).toMatch(
    /^(invalid_device_signature|epoch_mismatch|frame_share_elsewhere)$/,
  )
  expect((await getWallet(old))?.here).toBe(false)
  // The new device refreshes and backs up like a first device.
  expect((await reshare(page, address, 'refresh', true)).wallet.epoch).toBe(2)
  const late = await newProfile(person)
  const restoring = beginRestore(late, address, 'add-device')
  const frame = await agreeToRestore(late, 'add-device')
  await chooseFile(frame, await saved(file))
  await frame.getByText('This backup is older than the wallet’s newest shares').waitFor()
  await press(frame.getByRole('button', { name: 'Cancel' }))
  expect((await restoring).code).toBe('user_rejected')
})

it('a restore reports what is wrong with a file, changes nothing, and continues with the right file', async () => {
  const { old, person, address, file } = await made('TWO_OF_THREE')
  const { file: strangers } = await made('TWO_OF_THREE')
  const page = await newProfile(person)
  await getWallet(page)
  const restoring = beginRestore(page, address, 'add-device')
  const frame = await agreeToRestore(page, 'add-device')
  const refuses = async (bytes: Uint8Array, says: string) => {
    await chooseFile(frame, await saved(bytes))
    await frame.getByText(says).waitFor()
  }
  await refuses(new TextEncoder().encode('a letter to my aunt'), 'Not a backup')
  await refuses(strangers, 'This is the backup of another wallet')
  await refuses(file.slice(0, -20), 'This backup file is incomplete')
  const weaker = Buffer.from(file)
  weaker.write('"memoryKiB":00001', weaker.indexOf('"memoryKiB":65536'))
  await refuses(weaker, 'Not a backup')
  const weak = Buffer.from(file)
  weak.write('"memoryKiB":10000', weak.indexOf('"memoryKiB":65536'))
  await refuses(weak, 'The key derivation is out of bounds')
  await press(frame.getByRole('button', { name: 'Cancel' }))
  expect((await restoring).code).toBe('user_rejected')
  expect(await getWallet(page)).toMatchObject({ here: false, epoch: 0, sets: [{ kind: 'primary' }] })

  const again = beginRestore(page, address, 'add-device')
  const second = await agreeToRestore(page, 'add-device')
  await chooseFile(second, await saved(file))
  await unlock(second, 'not the password')
  await second.getByText('Wrong password, or the backup was changed').waitFor()
  await unlock(second)
  expect((await again).code).toBeUndefined()
  expect(isSignature(address, 'at last', await sign(page, address, 'at last'))).toBe(true)
  expect(isSignature(address, 'old', await sign(old, address, 'old'))).toBe(true)
})

it('refuses to replace the current device, and to restore a wallet without a backup', async () => {
  const { old, address } = await made('TWO_OF_THREE')
  await getWallet(old)
  const { code } = await beginRestore(old, address, 'replace-device')
  expect(code).toBe('frame_device_here')
  const page = await world.visit()
  await world.signIn(page)
  const fragile = await create(page, 'TWO_OF_TWO')
  expect((await beginRestore(page, fragile.address, 'add-device')).code).toBe('frame_backup_none')
})

it('[S2.2] restores only in the caller’s container, in a frame titled “wallet storage” that cannot download', async () => {
  const { person, address } = await made('TWO_OF_THREE')
  const page = await newProfile(person)
  await getWallet(page)
  const bare = await page.evaluate(address => {
    const { restoreBackup } = window.host.keybay.waas
    const options: unknown = { backup: { provider: 'external' } }
    return window.host.outcome(Reflect.apply(restoreBackup, undefined, [address, options]))
  }, address)
  expect(bare).toMatchObject({ code: 'display_container_missing', message: 'A display container is needed' })
  const restoring = beginRestore(page, address, 'add-device')
  const shown = page.locator('body > div > iframe')
  await shown.waitFor()
  expect(await shown.getAttribute('sandbox')).toBe('allow-scripts allow-same-origin')
  expect(await shown.getAttribute('title')).toBe('wallet storage')
  await press((await getFrame(page, 'visible')).getByRole('button', { name: 'Cancel' }))
  expect((await restoring).code).toBe('user_rejected')
})

it('restores on a second site, whose frame has its own storage', async () => {
  const { old, address, person, file } = await made('TWO_OF_THREE')
  const other = await world.visit(old.context(), 'other')
  await world.signIn(other, person)
  expect(await getWallet(other)).toMatchObject({ here: false })
  expect((await restore(other, address, 'add-device', file)).outcome.code).toBeUndefined()
  expect(isSignature(address, 'other site', await sign(other, address, 'other site'))).toBe(true)
  expect(isSignature(address, 'home', await sign(old, address, 'home'))).toBe(true)
})

it('restores nothing and reports an error if the browser blocks the frame’s storage', async () => {
  const { address, person } = await made('TWO_OF_THREE')
  const page = await world.visit(await world.newContext({ isStorageBlocked: true }))
  await world.signIn(page, person)
  const { code } = await beginRestore(page, address, 'add-device')
  expect(code).toBe('frame_storage_unavailable')
})
