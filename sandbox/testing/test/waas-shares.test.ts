import { expect, it } from 'vitest'
import { activeAddress } from '../src/flows.js'
import { signInByCode } from '../src/flows-accounts.js'
import { createWallet, openSecurity, refreshShares, reshare, signMessage } from '../src/flows-waas.js'
import { walletFrame } from '../src/pages/wallet-frame.js'
import { setUpSandbox } from '../src/sandbox.js'

const sandbox = setUpSandbox({ accounts: {}, embeddedWallets: true })

it('[S1.10] refreshes the parts: the address stays, the epoch and the backup are new', async () => {
  const visitor = await sandbox.visit()
  const { page } = visitor
  await signInByCode(sandbox, visitor, 'refresh@example.com')
  const { address, backup } = await createWallet(visitor)
  await page.getByText('0 · the first parts').waitFor()
  const next = await refreshShares(visitor, '2 of 3')
  expect(next?.equals(backup ?? Buffer.alloc(0))).toBe(false)
  await page.getByText('1 · older parts are worthless').waitFor()
  await signMessage(visitor, 'With new parts')
  expect(await activeAddress(visitor)).toBe(address)
  await page.reload()
  await signMessage(visitor, 'And after a reload')
})

it('[S1.10] takes no older backup for the new one, and goes on with the right file', async () => {
  const visitor = await sandbox.visit()
  const { page } = visitor
  await signInByCode(sandbox, visitor, 'wrong-file@example.com')
  const { address, backup } = await createWallet(visitor)
  if (!backup) throw new Error('2 of 3 has a backup')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Refresh', exact: true }).click()
  const frame = walletFrame(page)
  await frame.choosePassword('another password')
  const fresh = await download
  await frame.screen
    .getByLabel('Backup file')
    .setInputFiles({ name: 'old.keybay', mimeType: 'application/octet-stream', buffer: backup })
  await frame.press('Check the file')
  await frame.screen.getByText('This is not the newest backup of this wallet').waitFor()
  await frame.keepBackup(Promise.resolve(fresh))
  await page.getByText('1 · older parts are worthless').waitFor()
  await signMessage(visitor, 'With the right backup')
  expect(await activeAddress(visitor)).toBe(address)
})

it('[S1.11] reshares 2 of 2 → 2 of 3 → 3 of 5 → 2 of 2: the address stays, and each signs', async () => {
  const visitor = await sandbox.visit()
  const { page } = visitor
  await signInByCode(sandbox, visitor, 'reshare@example.com')
  const { address } = await createWallet(visitor, { scheme: '2 of 2' })
  for (const to of ['2 of 3', '3 of 5', '2 of 2'] as const) {
    const backup = await reshare(visitor, to)
    expect(backup === undefined).toBe(to === '2 of 2')
    await signMessage(visitor, `With ${to}`)
    expect(await activeAddress(visitor)).toBe(address)
    await openSecurity(visitor, address)
    await page
      .getByRole('definition')
      .getByText(new RegExp(`^${to}:`))
      .waitFor()
  }
  await page.getByText('3 · older parts are worthless').waitFor()
})
