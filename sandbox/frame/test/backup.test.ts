/** Tests backups at providers with real services and windows, and reads the drives afterwards without the frame. */
import { readBackupHeader } from '@keybay/waas/mpc'
import type { Page, Route } from 'playwright-core'
import { expect, it } from 'vitest'
import { answer, driveFiles, grantNew, nextWindow } from './drives.js'
import { everythingSent, everythingStored, getForms } from './overheard.js'
import {
  agree,
  attempt,
  CODE,
  call,
  createWaiting,
  enter,
  expectSigns,
  letPageOpen,
  openTestBackup,
  password,
  reload,
  takeCode,
} from './user.js'
import { getFrame, setUpWorld } from './world.js'

const world = setUpWorld({ drives: true })
const DRIVE = { provider: 'googleDrive', password } as const

/** Signs a new user in, and creates a wallet with its backup in Google Drive. */
async function openBackedUp() {
  const { page } = await enter(world)
  const popup = nextWindow(page)
  const making = call(page, 'createWallet', { scheme: 'TWO_OF_THREE', backup: DRIVE })
  await grantNew(page, await popup)
  return { page, address: (await making).wallet.accountAddress }
}

async function openWaiting() {
  const { page } = await enter(world)
  return { page, address: await createWaiting(page) }
}

async function getStatus(page: Page, address: string) {
  return (await call(page, 'wallet', address)).wallet.backup
}

function backUp(page: Page, address: string, provider: 'googleDrive' | 'icloud' = 'googleDrive') {
  return attempt(page, 'backup', address, { backup: { provider }, password })
}

function isDeletion(route: Route): boolean {
  return route.request().method() === 'DELETE'
}

/** Returns the epochs of the wallet's backups in Ann's drive. */
async function getEpochs(address: string): Promise<readonly number[]> {
  const headers = (await driveFiles(world)).map(({ bytes }) => readBackupHeader(bytes))
  return headers.filter(header => header.address === address).map(({ set }) => set.epoch)
}

it('[S1.8] backs up to Google Drive, in the app’s own folder under the password; a refresh that names this or no provider replaces the file', async () => {
  const { page, address } = await openBackedUp()
  const backup = { state: 'current', providers: ['googleDrive'] }
  expect(await getStatus(page, address)).toMatchObject(backup)
  const [file] = await driveFiles(world)
  expect(file?.name).toBe(`keybay-${address.slice(0, 8)}-1.keybay`)
  const { header, shares } = await openTestBackup(file?.bytes, password)
  expect(header).toMatchObject({ address, set: { epoch: 0 } })
  expect(shares.map(({ party }) => party)).toEqual(['B1'])
  await expectSigns(page, address)

  for (const [index, options] of [{ backup: DRIVE, password }, { password }].entries()) {
    const epoch = index + 1
    const popup = nextWindow(page)
    const refreshing = attempt(page, 'refresh', address, options)
    await letPageOpen(page)
    // Whatever its outcome, the refresh requests access to the drive first.
    await answer(await popup)
    expect(await refreshing).toMatchObject({
      value: { wallet: { epoch, backup }, backup: { provider: 'googleDrive' } },
    })
    expect(await getEpochs(address)).toEqual([epoch])
  }
  await expectSigns(page, address)
}, 240_000)

it('[S7.3] backs up new shares to iCloud, copies the backup to Drive by backupKeySharesToGoogleDrive, and verifies both by getWallet', async () => {
  const { page, address } = await openWaiting()
  expect(await getStatus(page, address)).toEqual({ state: 'none', providers: [] })
  for (const provider of ['icloud', 'googleDrive'] as const) {
    const first = nextWindow(page)
    const backing = backUp(page, address, provider)
    const window = await first
    // The copy opens one window for the source, and once that has closed, one for the destination.
    const second = provider === 'googleDrive' ? nextWindow(page) : undefined
    await answer(window)
    if (second) await answer(await second)
    await agree(page, 'Use this account')
    expect(await backing).toMatchObject({ value: { provider, epoch: 1 } })
  }
  expect(await getStatus(page, address)).toMatchObject({ state: 'current', providers: ['icloud', 'googleDrive'] })
  const verifying = attempt(page, 'verifyBackup', address, { backup: { provider: 'icloud', password } })
  await answer(await nextWindow(page))
  expect(await verifying).toMatchObject({ value: { provider: 'icloud', epoch: 1 } })
  // The drive of another user has no backup.
  const missing = attempt(page, 'verifyBackup', address, { backup: DRIVE })
  await answer(await nextWindow(page), 'Cleo Çelik')
  expect(await missing).toMatchObject({ code: 'frame_backup_missing' })
  expect(await getStatus(page, address)).toMatchObject({ state: 'current', providers: ['icloud'] })
}, 240_000)

it('erases the old copy, which a crash left in the drive, once the new one is verified there', async () => {
  const { page, address } = await openBackedUp()
  await page.context().route('**/drive/v3/files/*', route => (isDeletion(route) ? route.abort() : route.continue()))
  const popup = nextWindow(page)
  const refreshing = attempt(page, 'refresh', address, { backup: DRIVE, password })
  await letPageOpen(page)
  await answer(await popup)
  expect(await refreshing).toMatchObject({ value: { wallet: { epoch: 1 } } })
  expect(await getEpochs(address)).toEqual([1, 0])
  await page.context().unrouteAll()
  await reload(page)
  // A copy in another account shows nothing about this one.
  for (const [account, epochs] of [
    ['Cleo Çelik', [1, 0]],
    ['Ann Archer', [1]],
  ] as const) {
    const verifying = attempt(page, 'verifyBackup', address, { backup: DRIVE })
    await answer(await nextWindow(page), account)
    await verifying
    expect(await getEpochs(address)).toEqual(epochs)
  }
  expect(await getStatus(page, address)).toMatchObject({ state: 'current', providers: ['googleDrive'] })
}, 240_000)

it('erases the old copy at the product API when a refresh puts the new backup elsewhere', async () => {
  const { page } = await enter(world)
  const service = { provider: 'dynamic', password: CODE } as const
  const { wallet } = await call(page, 'createWallet', { scheme: 'TWO_OF_THREE', backup: service })
  const address = wallet.accountAddress
  const popup = nextWindow(page)
  const refreshing = attempt(page, 'refresh', address, { backup: DRIVE, password })
  await letPageOpen(page)
  await grantNew(page, await popup)
  expect(await refreshing).toMatchObject({ value: { wallet: { epoch: 1, backup: { providers: ['googleDrive'] } } } })
  const verified = await attempt(page, 'verifyBackup', address, { backup: service })
  expect(verified).toMatchObject({ code: 'frame_backup_missing' })
}, 240_000)

it('stores a backup at the product API only under a recovery code', async () => {
  const { page, address } = await openWaiting()
  const weak = { provider: 'dynamic', password: 'only a password' } as const
  const refused = await attempt(page, 'backup', address, { backup: weak, password })
  expect(refused).toMatchObject({ code: 'frame_backup_code_needed' })
  const backing = attempt(page, 'backup', address, { backup: { provider: 'dynamic' }, password })
  const frame = await getFrame(page, 'visible')
  const all = everythingSent(page)
  const code = await takeCode(frame)
  const outcome = await backing
  expect(outcome).toMatchObject({ value: { provider: 'dynamic', epoch: 1 } })
  expect(JSON.stringify(outcome)).not.toContain(code)
  const typed = code.toLowerCase().replaceAll('-', ' ')
  const verified = await attempt(page, 'verifyBackup', address, { backup: { provider: 'dynamic', password: typed } })
  expect(verified).toMatchObject({ value: { provider: 'dynamic' } })
  const sent = all.join('\n')
  // The sealed backup went to the product API; the code went nowhere.
  expect(sent).toContain('"envelope":"')
  for (const secret of [code, code.replaceAll('-', '')].flatMap(getForms)) expect(sent).not.toContain(secret)
}, 240_000)

it('backs up a 2/2 wallet only after the page asked to reshare it to 2/3', async () => {
  const { page } = await enter(world)
  const { accountAddress: address } = (await call(page, 'createWallet', { scheme: 'TWO_OF_TWO' })).wallet
  expect(await backUp(page, address)).toMatchObject({ code: 'frame_backup_reshare_needed' })
  const popup = nextWindow(page)
  const backing = call(page, 'backup', address, { backup: DRIVE, reshare: true })
  await letPageOpen(page)
  await grantNew(page, await popup)
  expect(await backing).toMatchObject({ provider: 'googleDrive', epoch: 1 })
  expect(await getStatus(page, address)).toMatchObject({ state: 'current' })
  await expectSigns(page, address)
}, 240_000)

it('reports a denied, closed or blocked grant window, and changes nothing', async () => {
  const { page, address } = await openWaiting()
  const denied = nextWindow(page)
  const first = backUp(page, address)
  await answer(await denied, 'Deny')
  expect(await first).toMatchObject({ code: 'frame_backup_denied' })

  const opened = nextWindow(page)
  const second = backUp(page, address)
  const closed = await opened
  // Closing a window while its page loads can take for ever in Playwright.
  await closed.getByRole('button', { name: 'Deny' }).waitFor()
  await closed.close()
  expect(await second).toMatchObject({ code: 'user_rejected' })

  // The browser blocks windows that open by themselves, so the user presses a button.
  await page.evaluate(() => {
    const { open } = window
    window.open = () => {
      window.open = open
      return null
    }
  })
  const blocked = nextWindow(page)
  const third = backUp(page, address)
  expect(await getStatus(page, address)).toEqual({ state: 'none', providers: [] })
  await grantNew(page, await blocked)
  expect(await third).toMatchObject({ value: { provider: 'googleDrive' } })
}, 240_000)

it('keeps the old shares and backup if a refresh fails at the reading back or at the commit, and the next refresh succeeds', async () => {
  const { page, address } = await openBackedUp()
  for (const [url, code] of [
    ['**/drive/v3/files?**', 'frame_backup_unreachable'],
    ['**/reshare/commit', 'frame_relay_unreachable'],
  ] as const) {
    await page.context().route(url, route => route.abort())
    const popup = nextWindow(page)
    const broken = attempt(page, 'refresh', address, { backup: DRIVE, password })
    // The next attempt continues with the shares to which the user agreed.
    if (code === 'frame_backup_unreachable') await letPageOpen(page)
    await answer(await popup)
    expect(await broken).toMatchObject({ code })
    await page.context().unroute(url)
    const old = (await driveFiles(world)).find(({ bytes }) => {
      const header = readBackupHeader(bytes)
      return header.address === address && header.set.epoch === 0
    })
    expect((await openTestBackup(old?.bytes, password)).shares).toHaveLength(1)
    await expectSigns(page, address)
  }

  const again = nextWindow(page)
  const refreshing = attempt(page, 'refresh', address, { backup: DRIVE, password })
  await answer(await again)
  expect(await refreshing).toMatchObject({ value: { wallet: { epoch: 1, backup: { state: 'current' } } } })
  expect(await getEpochs(address)).toEqual([1])
  await expectSigns(page, address)
}, 120_000)

it('reports an expired drive token, and neither stores drive tokens nor puts them into URLs', async () => {
  const { page, address } = await openWaiting()
  const logged: string[] = []
  page.on('console', message => logged.push(message.text()))
  let token = ''
  await page.context().route('**/upload/drive/v3/files**', route => {
    token = route.request().headers().authorization?.replace('Bearer ', '') ?? ''
    world.identity.clock.advance(3_600_001)
    return route.continue()
  })
  const popup = nextWindow(page)
  const late = backUp(page, address)
  await grantNew(page, await popup)
  expect(await late).toMatchObject({ code: 'frame_backup_refused' })
  world.identity.clock.reset()
  expect(await getStatus(page, address)).toEqual({ state: 'none', providers: [] })
  expect(token.length).toBeGreaterThan(20)
  const stored = [
    ...(await everythingStored(page.mainFrame())),
    ...(await everythingStored(await getFrame(page, 'hidden'))),
  ]
  expect([...stored, ...logged, page.url()].filter(text => text.includes(token))).toEqual([])
}, 240_000)
