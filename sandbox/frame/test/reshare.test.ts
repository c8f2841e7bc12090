/** Tests new shares of the same key and their backup: completed, abandoned half-way, and with the wrong file. */
import { readFile, writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { openTestBackup } from './argon2.js'
import {
  chooseBackup,
  chooseFile,
  create,
  isSignature,
  letPageOpen,
  nextDownload,
  password,
  press,
  reload,
  reshare,
  sign,
} from './person.js'
import { takeCode } from './secrets.js'
import { getFrame, setUpWorld } from './world.js'

const world = setUpWorld()

it('[S1.10] a refresh keeps the address, advances the epoch, and reads the new backup back before the commit', async () => {
  const page = await world.visit()
  await world.signIn(page)
  const { address, file: old } = await create(page, 'TWO_OF_THREE')
  world.requests.length = 0
  const { wallet, file } = await reshare(page, address, 'refresh', true)
  expect(world.requests.filter(path => path.includes('/reshare/'))).toEqual(
    ['begin', 'commit'].map(step => `/wallets/${wallet.walletId}/reshare/${step}`),
  )
  expect(wallet).toMatchObject({ accountAddress: address, epoch: 1, backup: { state: 'current' } })
  if (!file || !old) throw new Error('no file')
  const [before, after] = [await openTestBackup(old, password), await openTestBackup(file, password)]
  expect(after.header.set.epoch).toBe(1)
  expect(after.shares[0]?.secret).not.toEqual(before.shares[0]?.secret)
  expect(after.sealedSeed).toEqual(before.sealedSeed)
  expect(isSignature(address, 'after', await sign(page, address, 'after'))).toBe(true)
  await reload(page)
  expect(isSignature(address, 'later', await sign(page, address, 'later'))).toBe(true)
})

it('[S1.11] reshares 2/2 → 2/3 → 3/5 → 2/2 with the same address, and each scheme signs', async () => {
  const page = await world.visit()
  await world.signIn(page)
  const { address } = await create(page, 'TWO_OF_TWO')
  let epoch = 0
  for (const to of ['TWO_OF_THREE', 'THREE_OF_FIVE', 'TWO_OF_TWO'] as const) {
    const { wallet } = await reshare(page, address, to, to !== 'TWO_OF_TWO')
    expect(wallet).toMatchObject({ accountAddress: address, thresholdSignatureScheme: to, epoch: ++epoch })
    expect(isSignature(address, to, await sign(page, address, to))).toBe(true)
  }
})

it('a refresh refuses a file that is not the newest backup, and continues with the right file', async () => {
  const page = await world.visit()
  await world.signIn(page)
  const { address, file: old } = await create(page, 'TWO_OF_THREE')
  if (!old) throw new Error('no file')
  const download = nextDownload(page)
  const refreshing = page.evaluate(
    ([address, password]) => window.host.keybay.waas.refresh(address, { backup: { provider: 'external', password } }),
    [address, password] as const,
  )
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

it('keeps the old shares valid if the user cancels a refresh, and the next attempt succeeds', async () => {
  const page = await world.visit()
  await world.signIn(page)
  const { address } = await create(page, 'TWO_OF_THREE')
  const refresh = () =>
    page.evaluate(
      ([address, password]) =>
        window.host.outcome(window.host.keybay.waas.refresh(address, { backup: { provider: 'external', password } })),
      [address, password] as const,
    )
  const outcome = refresh()
  const frame = await letPageOpen(page)
  await frame.getByRole('heading', { name: 'Choose the backup file' }).waitFor()
  await press(frame.getByRole('button', { name: 'Cancel' }))
  expect((await outcome).code).toBe('user_rejected')
  expect(isSignature(address, 'still', await sign(page, address, 'still'))).toBe(true)
  // The confirmed reshare goes on.
  const download = nextDownload(page)
  const again = refresh()
  await chooseBackup(page, download)
  expect(await again).toMatchObject({ value: { wallet: { epoch: 1 } } })
  expect(isSignature(address, 'then', await sign(page, address, 'then'))).toBe(true)
})

it('starts a refresh over for another backup place: a backup sealed for a file never goes to the service', async () => {
  const page = await world.visit()
  await world.signIn(page)
  const { address } = await create(page, 'TWO_OF_THREE')
  const given = page.evaluate(
    ([address, password]) =>
      window.host.outcome(window.host.keybay.waas.refresh(address, { backup: { provider: 'external', password } })),
    [address, password] as const,
  )
  const file = await letPageOpen(page)
  await file.getByRole('heading', { name: 'Choose the backup file' }).waitFor()
  await press(file.getByRole('button', { name: 'Cancel' }))
  expect((await given).code).toBe('user_rejected')
  const kept: string[] = []
  page.on('request', request => {
    if (request.method() === 'POST' && request.url().includes('/backups/')) kept.push(request.postData() ?? '')
  })
  const refreshing = page.evaluate(
    address => window.host.outcome(window.host.keybay.waas.refresh(address, { backup: { provider: 'dynamic' } })),
    address,
  )
  const code = await takeCode(await getFrame(page, 'visible'))
  expect(await refreshing).toMatchObject({ value: { wallet: { epoch: 1 }, backup: { provider: 'dynamic' } } })
  expect(kept).toHaveLength(1)
  const { envelope }: { envelope: string } = JSON.parse(kept[0] ?? '')
  expect((await openTestBackup(Buffer.from(envelope, 'base64url'), code)).header.set.epoch).toBe(1)
  expect(isSignature(address, 'after', await sign(page, address, 'after'))).toBe(true)
}, 300_000)

it('commits a refresh on both sides when the answer to the commit is lost', async () => {
  const page = await world.visit()
  await world.signIn(page)
  const { address } = await create(page, 'TWO_OF_TWO')
  await page.route('**/reshare/commit', async route => {
    await route.fetch()
    await route.abort()
  })
  const outcome = await page.evaluate(address => window.host.outcome(window.host.keybay.waas.refresh(address)), address)
  expect(outcome.code).toBe('frame_relay_unreachable')
  await page.unroute('**/reshare/commit')
  expect(isSignature(address, 'after', await sign(page, address, 'after'))).toBe(true)
  const wallets = await page.evaluate(() => window.host.keybay.waas.wallets())
  expect(wallets[0]).toMatchObject({ epoch: 1, here: true })
  expect((await reshare(page, address, 'refresh', false)).wallet.epoch).toBe(2)
})
