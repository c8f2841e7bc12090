/** Tests backups at providers with real services and windows, and reads the drives afterwards without the frame. */
import { readBackupHeader } from '@keybay/waas/mpc'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { openTestBackup } from './argon2.js'
import { allow, deny, driveFiles, nextWindow } from './drives.js'
import { everythingSent, getForms } from './overheard.js'
import { createWaiting, isSignature, letPageOpen, password, sign } from './person.js'
import { takeCode } from './secrets.js'
import { getFrame, setUpWorld } from './world.js'

const world = setUpWorld({ drives: true })
type Cloud = 'googleDrive' | 'icloud'

/** Creates a wallet with its backup at a provider. */
async function create(page: Page, provider: Cloud): Promise<string> {
  const popup = nextWindow(page)
  const making = page.evaluate(
    ([provider, password]) =>
      window.host.keybay.waas.createWallet({ scheme: 'TWO_OF_THREE', backup: { provider, password } }),
    [provider, password] as const,
  )
  await allow(await popup)
  return (await making).wallet.accountAddress
}

function getStatus(page: Page, address: string) {
  return page.evaluate(async address => (await window.host.keybay.waas.wallet(address)).wallet.backup, address)
}
/** Starts an operation and returns its outcome. */
function attempt(page: Page, what: 'backup' | 'refresh' | 'verifyBackup', address: string, provider: Cloud) {
  return page.evaluate(
    ([what, address, provider, password]) =>
      window.host.outcome(window.host.keybay.waas[what](address, { backup: { provider, password }, password })),
    [what, address, provider, password] as const,
  )
}

async function isAlive(page: Page, address: string): Promise<boolean> {
  return isSignature(address, 'still here', await sign(page, address, 'still here'))
}

it('[S1.8] backs up to Google Drive: uses only the app’s own folder, and the password opens the file', async () => {
  const page = await world.visit()
  await world.signIn(page)
  const address = await create(page, 'googleDrive')
  expect(await getStatus(page, address)).toMatchObject({ state: 'current', providers: ['googleDrive'] })
  const [file] = await driveFiles(world, page.context())
  expect(file?.name).toBe(`keybay-${address.slice(0, 8)}-1.keybay`)
  const { header, shares } = await openTestBackup(file?.bytes ?? new Uint8Array(), password)
  expect(header).toMatchObject({ address, set: { epoch: 0 } })
  expect(shares.map(({ party }) => party)).toEqual(['B1'])
  expect(await isAlive(page, address)).toBe(true)

  // A refresh creates a new backup and deletes the old one.
  const popup = nextWindow(page)
  const refreshing = attempt(page, 'refresh', address, 'googleDrive')
  await letPageOpen(page)
  await allow(await popup)
  expect(await refreshing).toMatchObject({ value: { wallet: { epoch: 1, backup: { state: 'current' } } } })
  const files = (await driveFiles(world, page.context())).filter(
    ({ bytes }) => readBackupHeader(bytes).address === address,
  )
  expect(files.map(({ bytes }) => readBackupHeader(bytes).set.epoch)).toEqual([1])
  expect(await isAlive(page, address)).toBe(true)
}, 240_000)

it('stores the backup of a refresh with the old backup’s provider if the page names no provider', async () => {
  const page = await world.visit()
  await world.signIn(page)
  const address = await create(page, 'googleDrive')
  const popup = nextWindow(page)
  const refreshing = page.evaluate(
    ([address, password]) => window.host.outcome(window.host.keybay.waas.refresh(address, { password })),
    [address, password] as const,
  )
  await letPageOpen(page)
  // Whatever its outcome, the refresh requests access to the drive first.
  await allow(await popup)
  expect(await refreshing).toMatchObject({ value: { wallet: { epoch: 1 }, backup: { provider: 'googleDrive' } } })
  expect(await getStatus(page, address)).toMatchObject({ state: 'current', providers: ['googleDrive'] })
  const files = (await driveFiles(world, page.context())).filter(
    ({ bytes }) => readBackupHeader(bytes).address === address,
  )
  expect(files.map(({ bytes }) => readBackupHeader(bytes).set.epoch)).toEqual([1])
  expect(await isAlive(page, address)).toBe(true)
}, 240_000)

it('backs up new shares to iCloud, copies the backup to Drive, and verifies both', async () => {
  const page = await world.visit()
  await world.signIn(page)
  const address = await createWaiting(page)
  expect(await getStatus(page, address)).toEqual({ state: 'none', providers: [] })
  for (const [provider, windows] of [
    ['icloud', 1],
    ['googleDrive', 2],
  ] as const) {
    const first = nextWindow(page)
    const backing = attempt(page, 'backup', address, provider)
    await allow(await first)
    // A copy opens one window for the source, then one for the destination.
    if (windows === 2) await allow(await nextWindow(page))
    expect(await backing).toMatchObject({ value: { provider, epoch: 1 } })
  }
  expect(await getStatus(page, address)).toMatchObject({ state: 'current', providers: ['icloud', 'googleDrive'] })
  const verifying = attempt(page, 'verifyBackup', address, 'icloud')
  await allow(await nextWindow(page))
  expect(await verifying).toMatchObject({ value: { provider: 'icloud', epoch: 1 } })
  // The drive of another user has no backup.
  const missing = attempt(page, 'verifyBackup', address, 'googleDrive')
  await allow(await nextWindow(page), 'Cleo Çelik')
  expect(await missing).toMatchObject({ code: 'frame_backup_missing' })
  expect(await getStatus(page, address)).toMatchObject({ state: 'current', providers: ['icloud'] })
}, 240_000)

it('stores a backup at the product API only under a recovery code', async () => {
  const page = await world.visit()
  await world.signIn(page)
  const address = await createWaiting(page)
  const refused = await page.evaluate(
    ([address, password]) =>
      window.host.outcome(
        window.host.keybay.waas.backup(address, {
          backup: { provider: 'dynamic', password: 'only a password' },
          password,
        }),
      ),
    [address, password] as const,
  )
  expect(refused).toMatchObject({ code: 'frame_backup_code_needed' })
  const backing = page.evaluate(
    ([address, password]) =>
      window.host.outcome(window.host.keybay.waas.backup(address, { backup: { provider: 'dynamic' }, password })),
    [address, password] as const,
  )
  const frame = await getFrame(page, 'visible')
  const all = everythingSent(page)
  const code = await takeCode(frame)
  const outcome = await backing
  expect(outcome).toMatchObject({ value: { provider: 'dynamic', epoch: 1 } })
  expect(JSON.stringify(outcome)).not.toContain(code)
  const verified = await page.evaluate(
    ([address, code]) =>
      window.host.outcome(
        window.host.keybay.waas.verifyBackup(address, { backup: { provider: 'dynamic', password: code } }),
      ),
    [address, code.toLowerCase().replaceAll('-', ' ')] as const,
  )
  expect(verified).toMatchObject({ value: { provider: 'dynamic' } })
  const sent = all.join('\n')
  // The sealed backup went to the product API; the code went nowhere.
  expect(sent).toContain('"envelope":"')
  for (const secret of [code, code.replaceAll('-', '')].flatMap(getForms)) expect(sent).not.toContain(secret)
}, 240_000)

it('backs up a 2/2 wallet only after the page asked to reshare it to 2/3', async () => {
  const page = await world.visit()
  await world.signIn(page)
  const address = await page.evaluate(
    async () => (await window.host.keybay.waas.createWallet({ scheme: 'TWO_OF_TWO' })).wallet.accountAddress,
  )
  expect(await attempt(page, 'backup', address, 'googleDrive')).toMatchObject({ code: 'frame_backup_reshare_needed' })
  const popup = nextWindow(page)
  const backing = page.evaluate(
    ([address, password]) =>
      window.host.keybay.waas.backup(address, { backup: { provider: 'googleDrive', password }, reshare: true }),
    [address, password] as const,
  )
  await letPageOpen(page)
  await allow(await popup)
  expect(await backing).toMatchObject({ provider: 'googleDrive', epoch: 1 })
  expect(await getStatus(page, address)).toMatchObject({ state: 'current' })
  expect(await isAlive(page, address)).toBe(true)
}, 240_000)

it('reports a denied, closed or blocked grant window, and changes nothing', async () => {
  const page = await world.visit()
  await world.signIn(page)
  const address = await createWaiting(page)

  const denied = nextWindow(page)
  const first = attempt(page, 'backup', address, 'googleDrive')
  await deny(await denied)
  expect(await first).toMatchObject({ code: 'frame_backup_denied' })

  const closed = nextWindow(page)
  const second = attempt(page, 'backup', address, 'googleDrive')
  await (await closed).close()
  expect(await second).toMatchObject({ code: 'user_rejected' })

  // The browser blocks windows that open by themselves, so the user presses a button.
  await page.evaluate(() => {
    const { open } = window
    window.open = () => {
      window.open = open
      return null
    }
  })
  const third = attempt(page, 'backup', address, 'googleDrive')
  expect(await getStatus(page, address)).toEqual({ state: 'none', providers: [] })
  await allow(await nextWindow(page))
  expect(await third).toMatchObject({ value: { provider: 'googleDrive' } })
}, 240_000)

it.each([
  ['the reading back', '**/drive/v3/files?**'],
  ['the commit', '**/reshare/commit'],
])(
  'keeps the old shares and backup if a refresh fails at %s, and the next refresh succeeds',
  async (_, url) => {
    const page = await world.visit()
    await world.signIn(page)
    const address = await create(page, 'googleDrive')
    await page.context().route(url, route => route.abort())
    const popup = nextWindow(page)
    const broken = attempt(page, 'refresh', address, 'googleDrive')
    await letPageOpen(page)
    await allow(await popup)
    expect(await broken).toMatchObject({ code: expect.stringMatching(/^frame_(backup|relay)_unreachable$/) })
    await page.context().unroute(url)
    const mine = async () =>
      (await driveFiles(world, page.context())).filter(({ bytes }) => readBackupHeader(bytes).address === address)
    const old = (await mine()).find(({ bytes }) => readBackupHeader(bytes).set.epoch === 0)
    expect((await openTestBackup(old?.bytes ?? new Uint8Array(), password)).shares).toHaveLength(1)
    expect(await isAlive(page, address)).toBe(true)

    const again = nextWindow(page)
    const refreshing = attempt(page, 'refresh', address, 'googleDrive')
    await allow(await again)
    expect(await refreshing).toMatchObject({ value: { wallet: { epoch: 1, backup: { state: 'current' } } } })
    expect((await mine()).map(({ bytes }) => readBackupHeader(bytes).set.epoch)).toEqual([1])
    expect(await isAlive(page, address)).toBe(true)
  },
  120_000,
)

it('reports an expired drive token, and neither stores drive tokens nor puts them into URLs', async () => {
  const page = await world.visit()
  const heard: string[] = []
  page.on('console', message => heard.push(message.text()))
  await world.signIn(page)
  const address = await createWaiting(page)
  let token = ''
  await page.context().route('**/upload/drive/v3/files**', route => {
    token = route.request().headers().authorization?.replace('Bearer ', '') ?? ''
    world.identity.clock.advance(3_600_001)
    return route.continue()
  })
  const popup = nextWindow(page)
  const late = attempt(page, 'backup', address, 'googleDrive')
  await allow(await popup)
  expect(await late).toMatchObject({ code: 'frame_backup_refused' })
  world.identity.clock.reset()
  expect(await getStatus(page, address)).toEqual({ state: 'none', providers: [] })
  expect(token.length).toBeGreaterThan(20)
  const kept = await Promise.all(
    [page.mainFrame(), await getFrame(page, 'hidden')].map(frame =>
      frame.evaluate(async () => {
        const texts = [JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage }), document.cookie]
        for (const { name = '' } of await indexedDB.databases()) {
          const database: IDBDatabase = await new Promise(resolve => {
            const opening = indexedDB.open(name)
            opening.onsuccess = () => resolve(opening.result)
          })
          for (const store of [...database.objectStoreNames]) {
            const all: unknown[] = await new Promise(resolve => {
              const reading = database.transaction(store).objectStore(store).getAll()
              reading.onsuccess = () => resolve(reading.result)
            })
            texts.push(JSON.stringify(all))
          }
          database.close()
        }
        return texts
      }),
    ),
  )
  expect([...kept.flat(), ...heard, page.url()].filter(text => text.includes(token))).toEqual([])
}, 240_000)
