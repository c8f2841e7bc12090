/** Tests a new wallet and its backup: both exist, with a receipt, or the frame reports an error and there is no wallet. */
import { Keypair } from '@solana/web3.js'
import bs58 from 'bs58'
import type { Frame, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { driveFiles, grantNew, nextWindow } from './drives.js'
import { createHostStorage } from './host-storage.js'
import {
  agree,
  attempt,
  call,
  chooseBackup,
  enter,
  nextDownload,
  openTestBackup,
  password,
  press,
  reload,
  takeCode,
} from './user.js'
import { getFrame, setUpWorld } from './world.js'

const world = setUpWorld({ drives: true })
const PLACES = ['A file', 'Google Drive', 'iCloud', 'The app’s service']

/** Chooses a place in the wallet's window. @returns the window's frame */
async function choosePlace(page: Page, place: string): Promise<Frame> {
  const frame = await getFrame(page, 'visible')
  await frame.getByRole('heading', { name: 'Where should your backup go?' }).waitFor()
  await press(frame.getByLabel(place))
  await press(frame.getByRole('button', { name: 'Continue' }))
  return frame
}

function made(provider: string) {
  const wallet = { thresholdSignatureScheme: 'TWO_OF_THREE', backup: { state: 'current', providers: [provider] } }
  return { value: { wallet, backup: { provider, epoch: 0 } } }
}

it('a wallet created without a scheme or a backup place gets a backup where the user chooses; canceling creates none', async () => {
  const { page } = await enter(world)
  const canceled = attempt(page, 'createWallet', { password })
  await agree(page, 'Cancel')
  expect(await canceled).toMatchObject({ code: 'user_rejected' })
  expect(world.requests).toEqual([])
  expect(await call(page, 'wallets')).toEqual([])
  world.requests.length = 0
  const download = nextDownload(page)
  const making = attempt(page, 'createWallet', { password })
  const frame = await getFrame(page, 'visible')
  for (const place of PLACES) await frame.getByLabel(place).waitFor()
  await expect.poll(() => frame.getByRole('radio').count()).toBe(PLACES.length)
  // The relay gets no request before the user has chosen.
  expect(world.requests).toEqual([])
  await choosePlace(page, 'A file')
  const file = await chooseBackup(page, download)
  expect(await making).toMatchObject(made('external'))
  expect((await openTestBackup(file, password)).shares.map(({ party }) => party)).toEqual(['B1'])
}, 120_000)

it('refuses a password of the page for the backup, or the wallet, that is shorter than a user’s', async () => {
  const { page } = await enter(world, undefined, await world.visit(undefined, 'app', createHostStorage().keep))
  for (const options of [
    { backup: { provider: 'external', password: 'seven 7' } },
    // The wallet's password seals the backup too.
    { password: 'seven 7', backup: { provider: 'external' } },
  ] as const) {
    const made = await attempt(page, 'createWallet', { scheme: 'TWO_OF_THREE', ...options })
    expect(made).toMatchObject({ code: 'frame_password_short' })
  }
  expect(await call(page, 'wallets')).toEqual([])
  // Wallets of two shares take a backup later.
  const wallet = (await call(page, 'createWallet', { scheme: 'TWO_OF_TWO' })).wallet.accountAddress
  const copying = attempt(page, 'exportClientKeyshares', wallet, { password: 'seven 7' })
  expect(await copying).toMatchObject({ code: 'frame_password_short' })
}, 120_000)

it('stores the backup in the user’s own Google Drive before the wallet exists', async () => {
  const { page } = await enter(world)
  const making = attempt(page, 'createWallet', { password })
  const popup = nextWindow(page)
  await choosePlace(page, 'Google Drive')
  await grantNew(page, await popup)
  expect(await making).toMatchObject(made('googleDrive'))
  const [wallet] = await call(page, 'wallets')
  const files = await driveFiles(world)
  expect(files.map(({ name }) => name)).toContain(`keybay-${wallet?.accountAddress.slice(0, 8)}-1.keybay`)
}, 120_000)

it('stores the backup at the app’s service under a recovery code, not under the wallet’s password', async () => {
  const { page } = await enter(world)
  const making = attempt(page, 'createWallet', { password })
  const code = await takeCode(await choosePlace(page, 'The app’s service'))
  const outcome = await making
  expect(outcome).toMatchObject(made('dynamic'))
  expect(JSON.stringify(outcome)).not.toContain(code)
  const [wallet] = await call(page, 'wallets')
  const verify = (password: string) =>
    attempt(page, 'verifyBackup', wallet?.accountAddress ?? '', { backup: { provider: 'dynamic', password } })
  expect(await verify(password)).toMatchObject({ code: 'mpc_backup_unreadable' })
  expect(await verify(code)).toMatchObject({ value: { provider: 'dynamic', epoch: 0 } })
}, 120_000)

it('an imported key gets a backup where the user chooses if the app names no place', async () => {
  const { page } = await enter(world)
  const key = Keypair.generate()
  const download = nextDownload(page)
  const importing = attempt(page, 'importPrivateKey', { privateKey: bs58.encode(key.secretKey), password })
  await choosePlace(page, 'A file')
  await chooseBackup(page, download)
  expect(await importing).toMatchObject(made('external'))
  const [wallet] = await call(page, 'wallets')
  expect(wallet).toMatchObject({ accountAddress: key.publicKey.toBase58(), origin: 'imported' })
}, 120_000)

it('a creation interrupted before the file is chosen continues at the same backup place, without the question', async () => {
  const { page } = await enter(world)
  const idempotencyKey = 'one wallet'
  const first = nextDownload(page)
  attempt(page, 'createWallet', { password, idempotencyKey }) // the reload aborts it
  await choosePlace(page, 'A file')
  await first
  await reload(page)
  expect(await call(page, 'wallets')).toEqual([])
  const download = nextDownload(page)
  const making = attempt(page, 'createWallet', { password, idempotencyKey })
  await chooseBackup(page, download)
  expect(await making).toMatchObject(made('external'))
  expect(await call(page, 'wallets')).toMatchObject([{ here: true, backup: { state: 'current' } }])
}, 120_000)

it('an interrupted creation is not reused for a request with a backup, or for another chain, under the same idempotency key', async () => {
  const { page } = await enter(world)
  const finish = '**/wallets/create/finish'
  for (const other of [{ scheme: 'TWO_OF_THREE' }, { scheme: 'TWO_OF_TWO', chain: 'EVM' }] as const) {
    const idempotencyKey = crypto.randomUUID()
    await page.context().route(finish, route => route.abort())
    const first = await attempt(page, 'createWallet', { scheme: 'TWO_OF_TWO', idempotencyKey })
    expect(first).toMatchObject({ code: 'frame_relay_unreachable' })
    await page.context().unroute(finish)
    await reload(page)
    const second = await attempt(page, 'createWallet', { ...other, idempotencyKey })
    expect(second).toMatchObject({ code: 'idempotency_key_reused' })
  }
  expect(await call(page, 'wallets')).toEqual([])
}, 120_000)

it('an interrupted import is not reused for a request with another key under the same idempotency key', async () => {
  const { page } = await enter(world)
  const [first, second] = [Keypair.generate(), Keypair.generate()]
  const idempotencyKey = 'one of two keys'
  const importKey = ({ secretKey }: Keypair) =>
    attempt(page, 'importPrivateKey', { privateKey: bs58.encode(secretKey), scheme: 'TWO_OF_TWO', idempotencyKey })
  await page.context().route('**/wallets/import', route => route.abort())
  expect(await importKey(first)).toMatchObject({ code: 'frame_relay_unreachable' })
  await page.context().unroute('**/wallets/import')
  expect(await importKey(second)).toMatchObject({ code: 'idempotency_key_reused' })
  expect(await call(page, 'wallets')).toEqual([])
  expect(await importKey(first)).toMatchObject({ value: { wallet: { accountAddress: first.publicKey.toBase58() } } })
  expect(await call(page, 'wallets')).toHaveLength(1)
}, 120_000)
