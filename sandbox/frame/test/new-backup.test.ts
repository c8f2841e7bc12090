/**
 * Tests a new wallet and its backup: either both exist, with a receipt, or the frame reports an error and the relay has
 * no wallet.
 */
import { Keypair } from '@solana/web3.js'
import bs58 from 'bs58'
import type { Frame, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { openTestBackup } from './argon2.js'
import { allow, driveFiles, nextWindow } from './drives.js'
import { chooseBackup, isSignature, nextDownload, password, press, reload, sign } from './person.js'
import { takeCode } from './secrets.js'
import { getFrame, setUpWorld } from './world.js'

const world = setUpWorld({ drives: true })
const PLACES = ['A file', 'Google Drive', 'iCloud', 'The app’s service']
const UNSUPPORTED = 'TWO_OF_TWO has no backup share. Use TWO_OF_THREE, or leave out backup.'

async function signedIn(): Promise<Page> {
  const page = await world.visit()
  await world.signIn(page)
  return page
}

function creating(page: Page, idempotencyKey?: string) {
  return page.evaluate(
    ([password, idempotencyKey]) =>
      window.host.outcome(window.host.keybay.waas.createWallet({ password, idempotencyKey })),
    [password, idempotencyKey] as const,
  )
}
/** Chooses a place in the wallet's window. @returns the window's frame */
async function choosePlace(page: Page, place: string): Promise<Frame> {
  const frame = await getFrame(page, 'visible')
  await frame.getByRole('heading', { name: 'Where should your backup go?' }).waitFor()
  await frame.getByLabel(place).check()
  await press(frame.getByRole('button', { name: 'Continue' }))
  return frame
}

function readWallets(page: Page) {
  return page.evaluate(() => window.host.keybay.waas.wallets())
}

function made(provider: string) {
  return {
    value: {
      wallet: { thresholdSignatureScheme: 'TWO_OF_THREE', backup: { state: 'current', providers: [provider] } },
      backup: { provider, epoch: 0 },
    },
  }
}

it('refuses a backup for a new or imported 2/2 wallet before a request reaches the relay', async () => {
  const page = await signedIn()
  for (const operation of ['createWallet', 'importPrivateKey'] as const)
    expect(
      await page.evaluate(
        operation =>
          window.host.outcome(
            window.host.keybay.waas[operation]({ scheme: 'TWO_OF_TWO', backup: { provider: 'googleDrive' } }),
          ),
        operation,
      ),
    ).toEqual({ code: 'backup_unsupported', message: UNSUPPORTED })
  expect(world.requests).toEqual([])
  expect(await readWallets(page)).toEqual([])
})

it('a wallet created without a scheme or a backup place gets a backup where the user chooses', async () => {
  const page = await signedIn()
  const download = nextDownload(page)
  const making = creating(page)
  const frame = await getFrame(page, 'visible')
  expect(await frame.getByRole('radio').evaluateAll(inputs => inputs.map(input => input.id))).toHaveLength(
    PLACES.length,
  )
  for (const place of PLACES) await frame.getByLabel(place).waitFor()
  // The relay gets no request before the user has chosen.
  expect(world.requests).toEqual([])
  await choosePlace(page, 'A file')
  const file = await chooseBackup(page, download)
  expect(await making).toMatchObject(made('external'))
  expect((await openTestBackup(file, password)).shares.map(({ party }) => party)).toEqual(['B1'])
}, 120_000)

it('stores the backup in the user’s own Google Drive before the wallet exists', async () => {
  const page = await signedIn()
  const making = creating(page)
  const popup = nextWindow(page)
  await choosePlace(page, 'Google Drive')
  await allow(await popup)
  expect(await making).toMatchObject(made('googleDrive'))
  const [wallet] = await readWallets(page)
  const files = await driveFiles(world, page.context())
  expect(files.map(({ name }) => name)).toContain(`keybay-${wallet?.accountAddress.slice(0, 8)}-1.keybay`)
}, 120_000)

it('stores the backup at the app’s service under a recovery code, not under the wallet’s password', async () => {
  const page = await signedIn()
  const making = creating(page)
  const code = await takeCode(await choosePlace(page, 'The app’s service'))
  const outcome = await making
  expect(outcome).toMatchObject(made('dynamic'))
  expect(JSON.stringify(outcome)).not.toContain(code)
  const [wallet] = await readWallets(page)
  const verify = (secret: string) =>
    page.evaluate(
      ([address, password]) =>
        window.host.outcome(
          window.host.keybay.waas.verifyBackup(address, { backup: { provider: 'dynamic', password } }),
        ),
      [wallet?.accountAddress ?? '', secret] as const,
    )
  expect(await verify(password)).toMatchObject({ code: 'mpc_backup_unreadable' })
  expect(await verify(code)).toMatchObject({ value: { provider: 'dynamic', epoch: 0 } })
}, 120_000)

it('an imported key gets a backup where the user chooses if the app names no place', async () => {
  const page = await signedIn()
  const key = Keypair.generate()
  const download = nextDownload(page)
  const importing = page.evaluate(
    ([privateKey, password]) => window.host.outcome(window.host.keybay.waas.importPrivateKey({ privateKey, password })),
    [bs58.encode(key.secretKey), password] as const,
  )
  await choosePlace(page, 'A file')
  await chooseBackup(page, download)
  expect(await importing).toMatchObject(made('external'))
  const [wallet] = await readWallets(page)
  expect(wallet).toMatchObject({ accountAddress: key.publicKey.toBase58(), origin: 'imported' })
}, 120_000)

it('canceling the choice of a backup place creates no wallet and sends no request to the relay', async () => {
  const page = await signedIn()
  const making = creating(page)
  const frame = await getFrame(page, 'visible')
  await press(frame.getByRole('button', { name: 'Cancel' }))
  expect(await making).toMatchObject({ code: 'user_rejected' })
  expect(world.requests).toEqual([])
  expect(await readWallets(page)).toEqual([])
}, 120_000)

it('a creation interrupted before the file is chosen continues at the same backup place, without the question', async () => {
  const page = await signedIn()
  const first = nextDownload(page)
  creating(page, 'one wallet').catch(() => {}) // the reload aborts it
  await choosePlace(page, 'A file')
  await first
  await reload(page)
  expect(await readWallets(page)).toEqual([])
  const download = nextDownload(page)
  const making = creating(page, 'one wallet')
  await chooseBackup(page, download)
  expect(await making).toMatchObject(made('external'))
  expect(await readWallets(page)).toMatchObject([{ here: true, backup: { state: 'current' } }])
}, 120_000)

it('the first documented example creates a wallet with a backup at the service, connects the wallet and signs', async () => {
  const page = await signedIn()
  const making = page.evaluate(() => window.host.keybay.waas.createWallet({ backup: { provider: 'dynamic' } }))
  await takeCode(await getFrame(page, 'visible'))
  const { wallet, backup } = await making
  expect({ value: { wallet, backup } }).toMatchObject(made('dynamic'))
  const { accountAddress: address } = wallet
  const message = `I own ${address}`
  expect(isSignature(address, message, await sign(page, address, message))).toBe(true)
}, 120_000)

it('refuses to reshare to 2/2 with a backup, and the wallet keeps its shares and its backup', async () => {
  const page = await signedIn()
  const download = nextDownload(page)
  const making = page.evaluate(
    password => window.host.keybay.waas.createWallet({ backup: { provider: 'external', password } }),
    password,
  )
  await chooseBackup(page, download)
  const { accountAddress } = (await making).wallet
  const outcome = await page.evaluate(
    address =>
      window.host.outcome(
        window.host.keybay.waas.reshare(address, { to: 'TWO_OF_TWO', backup: { provider: 'external' } }),
      ),
    accountAddress,
  )
  expect(outcome).toEqual({ code: 'backup_unsupported', message: UNSUPPORTED })
  expect(await readWallets(page)).toMatchObject([{ epoch: 0, backup: { state: 'current' } }])
}, 120_000)

it('an interrupted 2/2 creation is not reused for a request with a backup under the same idempotency key', async () => {
  const page = await signedIn()
  const finish = '**/wallets/create/finish'
  await page.context().route(finish, route => route.abort())
  const attempt = (scheme: 'TWO_OF_TWO' | 'TWO_OF_THREE') =>
    page.evaluate(
      scheme =>
        window.host.outcome(window.host.keybay.waas.createWallet({ scheme, idempotencyKey: 'one of two schemes' })),
      scheme,
    )
  expect(await attempt('TWO_OF_TWO')).toMatchObject({ code: 'frame_relay_unreachable' })
  await page.context().unroute(finish)
  await reload(page)
  expect(await attempt('TWO_OF_THREE')).toMatchObject({ code: 'idempotency_key_reused' })
  expect(await readWallets(page)).toEqual([])
}, 120_000)

it('an interrupted import is not reused for a request with another key under the same idempotency key', async () => {
  const page = await signedIn()
  const [first, second] = [Keypair.generate(), Keypair.generate()]
  const attempt = (key: Keypair) =>
    page.evaluate(
      privateKey =>
        window.host.outcome(
          window.host.keybay.waas.importPrivateKey({
            privateKey,
            scheme: 'TWO_OF_TWO',
            idempotencyKey: 'one of two keys',
          }),
        ),
      bs58.encode(key.secretKey),
    )
  await page.context().route('**/wallets/import', route => route.abort())
  expect(await attempt(first)).toMatchObject({ code: 'frame_relay_unreachable' })
  await page.context().unroute('**/wallets/import')
  expect(await attempt(second)).toMatchObject({ code: 'idempotency_key_reused' })
  expect(await readWallets(page)).toEqual([])
  expect(await attempt(first)).toMatchObject({ value: { wallet: { accountAddress: first.publicKey.toBase58() } } })
  expect(await readWallets(page)).toHaveLength(1)
}, 120_000)

it('an interrupted creation is not reused for a request for another chain under the same idempotency key', async () => {
  const page = await signedIn()
  const finish = '**/wallets/create/finish'
  const attempt = (chain: 'SOL' | 'EVM') =>
    page.evaluate(
      chain =>
        window.host.outcome(
          window.host.keybay.waas.createWallet({ chain, scheme: 'TWO_OF_TWO', idempotencyKey: 'one of two chains' }),
        ),
      chain,
    )
  await page.context().route(finish, route => route.abort())
  expect(await attempt('SOL')).toMatchObject({ code: 'frame_relay_unreachable' })
  await page.context().unroute(finish)
  expect(await attempt('EVM')).toMatchObject({ code: 'idempotency_key_reused' })
  expect(await readWallets(page)).toEqual([])
}, 120_000)
