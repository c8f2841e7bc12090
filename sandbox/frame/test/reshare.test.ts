/** Tests new shares of the same key and their backup: completed, abandoned half-way, and with the wrong file. */
import { readFile, writeFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import {
  attempt,
  call,
  chooseFile,
  expectSigns,
  FILE,
  letPageOpen,
  nextDownload,
  open,
  openTestBackup,
  password,
  press,
  reload,
  reshare,
  takeCode,
} from './user.js'
import { getFrame, setUpWorld } from './world.js'

const world = setUpWorld()

/** Begins a refresh with a backup in a file, and cancels at the check of the file. */
async function abandonRefresh(page: Page, address: string): Promise<void> {
  const outcome = attempt(page, 'refresh', address, { backup: FILE })
  const frame = await letPageOpen(page)
  await frame.getByRole('heading', { name: 'Choose the backup file' }).waitFor()
  await press(frame.getByRole('button', { name: 'Cancel' }))
  expect((await outcome).code).toBe('user_rejected')
}

it('[S1.10][S7.3] refreshWalletAccountShares keeps the address, advances the epoch, and reads the new backup back before the commit', async () => {
  const { page, address, file: old } = await open(world, 'TWO_OF_THREE')
  world.requests.length = 0
  const { wallet, file } = await reshare(page, address, 'refresh', true)
  expect(world.requests.filter(path => path.includes('/reshare/'))).toEqual(
    ['begin', 'commit'].map(step => `/wallets/${wallet.walletId}/reshare/${step}`),
  )
  expect(wallet).toMatchObject({ accountAddress: address, epoch: 1, backup: { state: 'current' } })
  const [before, after] = [await openTestBackup(old, password), await openTestBackup(file, password)]
  expect(after.header.set.epoch).toBe(1)
  expect(after.shares[0]?.secret).not.toEqual(before.shares[0]?.secret)
  expect(after.sealedSeed).toEqual(before.sealedSeed)
  await expectSigns(page, address)
  await reload(page)
  await expectSigns(page, address)
})

it('[S1.11][S7.3] reshare goes 2/2 → 2/3 → 3/5 → 2/2 with the same address, and each scheme signs', async () => {
  const { page, address } = await open(world)
  let epoch = 0
  for (const to of ['TWO_OF_THREE', 'THREE_OF_FIVE', 'TWO_OF_TWO'] as const) {
    const { wallet } = await reshare(page, address, to, to !== 'TWO_OF_TWO')
    expect(wallet).toMatchObject({ accountAddress: address, thresholdSignatureScheme: to, epoch: ++epoch })
    await expectSigns(page, address)
  }
})

it('a refresh refuses a file that is not the newest backup, and continues with the right file', async () => {
  const { page, address, file: old } = await open(world, 'TWO_OF_THREE')
  const download = nextDownload(page)
  const refreshing = call(page, 'refresh', address, { backup: FILE })
  const frame = await letPageOpen(page)
  const path = await (await download).path()
  const wrong = `${path}-wrong`
  await writeFile(wrong, old)
  await chooseFile(frame, wrong)
  await frame.getByText('This isn’t the newest backup of this wallet').waitFor()
  const broken = await readFile(path)
  broken.writeUInt8(broken.readUInt8(broken.length - 1) ^ 1, broken.length - 1)
  await writeFile(wrong, broken)
  await chooseFile(frame, wrong)
  await frame.getByText('Wrong password, or the backup was changed').waitFor()
  await chooseFile(frame, path)
  expect((await refreshing).wallet.epoch).toBe(1)
})

it('starts a refresh over for another backup place: a backup sealed for a file never goes to the service', async () => {
  const { page, address } = await open(world, 'TWO_OF_THREE')
  await abandonRefresh(page, address)
  const stored: string[] = []
  page.on('request', request => {
    if (request.method() === 'POST' && request.url().includes('/backups/')) stored.push(request.postData() ?? '')
  })
  const refreshing = attempt(page, 'refresh', address, { backup: { provider: 'dynamic' } })
  const code = await takeCode(await getFrame(page, 'visible'))
  expect(await refreshing).toMatchObject({ value: { wallet: { epoch: 1 }, backup: { provider: 'dynamic' } } })
  expect(stored).toHaveLength(1)
  const { envelope }: { envelope: string } = JSON.parse(stored[0] ?? '')
  expect((await openTestBackup(Buffer.from(envelope, 'base64url'), code)).header.set.epoch).toBe(1)
  await expectSigns(page, address)
}, 300_000)
