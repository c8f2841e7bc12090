/** Tests wallets restored from a backup: as one more device, in place of a lost one, and from files that do not fit. */
import type { ThresholdSignatureScheme } from '@keybay/kernel/spec'
import { expect, it, vi } from 'vitest'
import { agreeToRestore, beginRestore, restore, saved, unlock } from './recover.js'
import { agree, attemptAgreed, chooseFile, enter, expectSigns, open, press, readWallet, reshare } from './user.js'
import { setUpWorld } from './world.js'

// Passwords are derived several times, which takes time on a slow machine.
vi.setConfig({ testTimeout: 300_000 })
const world = setUpWorld()

/** Creates a wallet in one browser, and signs the same user in in another one. */
async function openTwo(scheme: ThresholdSignatureScheme = 'TWO_OF_THREE') {
  const { page: old, ...made } = await open(world, scheme)
  const { page } = await enter(world, made.user)
  expect(await readWallet(page)).toMatchObject({ here: false, accountAddress: made.address, epoch: 0 })
  return { ...made, old, page }
}

it('[S1.12] restores a 3/5 wallet on an additional device: both devices sign, and the backup stays valid', async () => {
  const { old, page, address, file } = await openTwo('THREE_OF_FIVE')
  expect((await restore(page, address, 'add-device', file)).outcome).toMatchObject({
    value: { accountAddress: address, here: true, epoch: 0, backup: { state: 'current' } },
  })
  await expectSigns(page, address)
  await expectSigns(old, address)
})

it('[S1.12] replaces the lost device of a 2/3 wallet: its share never signs again, and the old backup is refused', async () => {
  const { old, user, page, address, file } = await openTwo()
  expect((await restore(page, address, 'replace-device', file)).outcome).toMatchObject({
    value: { accountAddress: address, here: true, epoch: 1, backup: { state: 'current' } },
  })
  await expectSigns(page, address)
  const { code } = await attemptAgreed(old, address)
  expect(code).toMatch(/^(invalid_device_signature|epoch_mismatch|frame_share_elsewhere)$/)
  expect((await readWallet(old))?.here).toBe(false)
  // The new device refreshes and backs up like a first device.
  expect((await reshare(page, address, 'refresh', true)).wallet.epoch).toBe(2)
  const { page: late } = await enter(world, user)
  const restoring = beginRestore(late, address, 'add-device')
  const frame = await agreeToRestore(late, 'add-device')
  await chooseFile(frame, await saved(file))
  await frame.getByText('This backup is older than the wallet’s newest shares').waitFor()
  await press(frame.getByRole('button', { name: 'Cancel' }))
  expect((await restoring).code).toBe('user_rejected')
})

it('a restore reports what is wrong with a file, changes nothing, and continues with the right file', async () => {
  const { old, page, address, file } = await openTwo()
  const { file: strangers } = await open(world, 'TWO_OF_THREE')
  await page.bringToFront()
  const restoring = beginRestore(page, address, 'add-device')
  const frame = await agreeToRestore(page, 'add-device')
  const getWeaker = (parameter: string) => {
    const bytes = Buffer.from(file)
    bytes.write(parameter, bytes.indexOf('"memoryKiB":65536'))
    return bytes
  }
  for (const [bytes, text] of [
    [new TextEncoder().encode('a letter to my aunt'), 'Not a backup'],
    [strangers, 'This is the backup of another wallet'],
    [file.slice(0, -20), 'This backup file is incomplete'],
    [getWeaker('"memoryKiB":00001'), 'Not a backup'],
    [getWeaker('"memoryKiB":10000'), 'The key derivation is out of bounds'],
  ] as const) {
    await chooseFile(frame, await saved(bytes))
    await frame.getByText(text).waitFor()
  }
  await press(frame.getByRole('button', { name: 'Cancel' }))
  expect((await restoring).code).toBe('user_rejected')
  expect(await readWallet(page)).toMatchObject({ here: false, epoch: 0, sets: [{ kind: 'primary' }] })

  const again = beginRestore(page, address, 'add-device')
  const second = await agreeToRestore(page, 'add-device')
  await chooseFile(second, await saved(file))
  await unlock(second, 'not the password')
  await second.getByText('Wrong password, or the backup was changed').waitFor()
  await unlock(second)
  expect((await again).code).toBeUndefined()
  await expectSigns(page, address)
  await expectSigns(old, address)
})

it('refuses to replace the current device, and to restore a wallet without a backup', async () => {
  const { page, address } = await open(world, 'TWO_OF_THREE')
  await readWallet(page)
  expect((await beginRestore(page, address, 'replace-device')).code).toBe('frame_device_here')
  const fragile = await open(world)
  expect((await beginRestore(fragile.page, fragile.address, 'add-device')).code).toBe('frame_backup_none')
})

it('[S2.2] restores only in the caller’s container, in a frame titled “wallet storage” that cannot download', async () => {
  const { page, address } = await openTwo()
  const bare = await page.evaluate(address => {
    const { outcome, call } = window.host
    return outcome(call('restoreBackup', [address, { backup: { provider: 'external' } }]))
  }, address)
  expect(bare).toMatchObject({ code: 'display_container_missing', message: 'A display container is needed' })
  const restoring = beginRestore(page, address, 'add-device')
  const shown = page.locator('body > div > iframe')
  await shown.waitFor()
  expect(await shown.getAttribute('sandbox')).toBe('allow-scripts allow-same-origin')
  expect(await shown.getAttribute('title')).toBe('wallet storage')
  await agree(page, 'Cancel')
  expect((await restoring).code).toBe('user_rejected')
})
