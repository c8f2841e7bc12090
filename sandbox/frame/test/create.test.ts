/** Tests wallet creation: every scheme, exportable or not, and an imported key. */
import { readBackupHeader } from '@keybay/waas/mpc'
import { Keypair } from '@solana/web3.js'
import bs58 from 'bs58'
import { expect, it } from 'vitest'
import {
  attempt,
  call,
  chooseBackup,
  create,
  enter,
  expectSigns,
  nextDownload,
  openTestBackup,
  password,
  press,
  reload,
} from './user.js'
import { getFrame, setUpWorld } from './world.js'

const world = setUpWorld()

it.each([
  ['TWO_OF_TWO', true],
  ['TWO_OF_THREE', true],
  ['TWO_OF_THREE', false],
  ['THREE_OF_FIVE', false],
] as const)(
  '[S1.7][S7.3][S13.1] createWalletAccount creates a %s wallet (exportable: %s) in three round trips, in a page without any screen of the kit; signMessage signs in one round trip after a reload',
  async (scheme, exportable) => {
    const { page } = await enter(world)
    const screens = page.locator('dialog, button, iframe:not([hidden])')
    expect(await screens.count()).toBe(0)
    const { address, wallet, file } = await create(page, scheme, exportable)
    expect(await screens.count()).toBe(0)
    expect(world.requests).toEqual(['begin', 'open', 'finish'].map(step => `/wallets/create/${step}`))
    expect(wallet).toMatchObject({
      thresholdSignatureScheme: scheme,
      exportable,
      here: true,
      epoch: 0,
      origin: exportable ? 'seed' : 'dkg',
      signing: 'threshold',
      passwordEncrypted: false,
      backup: { state: scheme === 'TWO_OF_TWO' ? 'none' : 'current' },
    })
    await reload(page)
    world.requests.length = 0
    await expectSigns(page, address)
    expect(world.requests.filter(path => path.endsWith('/sign'))).toHaveLength(1)
    if (scheme === 'TWO_OF_TWO') return
    expect(readBackupHeader(file)).toMatchObject({ address, set: { epoch: 0 } })
    const { shares, sealedSeed } = await openTestBackup(file, password)
    expect(shares.map(({ party }) => party)).toEqual(scheme === 'THREE_OF_FIVE' ? ['B1', 'B2'] : ['B1'])
    expect(sealedSeed !== undefined).toBe(exportable)
  },
)

it('[S7.2] with the session in cookies the frame creates a wallet and signs after a reload, and the page stores no token', async () => {
  const page = await world.visit(await world.newContext())
  await page.goto(`${page.url()}&cookies=`)
  await page.waitForFunction(() => 'host' in window)
  await enter(world, undefined, page)
  const { address } = await create(page, 'TWO_OF_TWO')
  await reload(page)
  await expectSigns(page, address)
  const stored = await page.evaluate(() =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
  )
  expect(stored).toContain('authenticated')
  expect(stored).not.toMatch(/eyJ|refresh/)
})

it('shows a recovery code once if there is no password, and never gives the code to the page', async () => {
  const { page } = await enter(world)
  const making = call(page, 'createWallet', { scheme: 'TWO_OF_THREE' })
  const download = nextDownload(page)
  const frame = await getFrame(page, 'visible')
  const goOn = () => press(frame.getByRole('button', { name: 'Continue' }))
  await frame.getByRole('heading', { name: 'Where should your backup go?' }).waitFor()
  await press(frame.getByLabel('A file'))
  await goOn()
  await press(frame.getByLabel('Make a recovery code for me instead'))
  await goOn()
  const code = (await frame.locator('pre.code').textContent()) ?? ''
  expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){7}[0-9A-HJKMNP-TV-Z]{4}$/)
  await goOn()
  // A user who did not save the code cannot enter this group of it.
  const group = frame.getByLabel(/^Group \d of your recovery code$/)
  await group.fill('0000')
  await goOn()
  await frame.getByRole('alert').getByText('That doesn’t match.').waitFor()
  const label = (await frame.locator('label', { hasText: /^Group/ }).textContent()) ?? ''
  await group.fill((code.split('-')[Number(/\d/.exec(label)?.[0]) - 1] ?? '').toLowerCase())
  await goOn()
  const file = await chooseBackup(page, download)
  const answer = await making
  expect(JSON.stringify(answer)).not.toContain(code)
  expect(answer).toMatchObject({
    wallet: { here: true, backup: { state: 'current', providers: ['external'] } },
    backup: { provider: 'external', epoch: 0 },
  })
  const { accountAddress: address } = answer.wallet
  expect((await openTestBackup(file, code)).header).toMatchObject({ address })
  await expectSigns(page, address)
})

it('[S7.3] importPrivateKey takes a key of web3.js, entered in the wallet’s own window, and keeps its address', async () => {
  const { page } = await enter(world)
  const key = Keypair.generate()
  const importing = call(page, 'importPrivateKey', { scheme: 'TWO_OF_TWO' })
  const frame = await getFrame(page, 'visible')
  const field = frame.getByLabel('Private key')
  await field.fill('not a key')
  await field.press('Enter')
  await frame.getByRole('alert').getByText('Not a Solana secret key').waitFor()
  await field.fill(bs58.encode(key.secretKey))
  await field.press('Enter')
  const { wallet } = await importing
  expect(wallet).toMatchObject({ accountAddress: key.publicKey.toBase58(), origin: 'imported', here: true })
  expect(world.requests.filter(path => path.includes('import'))).toEqual(['/wallets/import'])
  await expectSigns(page, wallet.accountAddress)
})

it('creates no wallet if the browser blocks the frame’s storage, and says why', async () => {
  const page = await world.visit(await world.newContext({ isStorageBlocked: true }))
  await enter(world, undefined, page)
  expect(await attempt(page, 'createWallet', { scheme: 'TWO_OF_TWO' })).toMatchObject({
    code: 'frame_storage_unavailable',
    message: 'This browser doesn’t allow the wallet to store data. Allow it, or use another browser',
  })
  expect(world.requests).toEqual([])
})
