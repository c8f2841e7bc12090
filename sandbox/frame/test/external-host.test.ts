/**
 * Tests backups in the page's own storage: the page gets sealed data only, and the frame checks everything the page
 * returns.
 */
import { readBackupHeader } from '@keybay/waas/mpc'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { openTestBackup } from './argon2.js'
import { hostStorage } from './keeper.js'
import { isSignature, letPageOpen, password, press, sign } from './person.js'
import { getWallet } from './restore.js'
import { getFrame, setUpWorld } from './world.js'

const world = setUpWorld()

async function create(page: Page): Promise<string> {
  const made = await page.evaluate(
    password =>
      window.host.keybay.waas.createWallet({ scheme: 'TWO_OF_THREE', backup: { provider: 'external', password } }),
    password,
  )
  return made.wallet.accountAddress
}

function attempt(page: Page, what: 'refresh' | 'verifyBackup', address: string, signal = false) {
  return page.evaluate(
    ([what, address, password, signal]) => {
      const control = new AbortController()
      Object.assign(window, { leave: () => control.abort() })
      const backup = { provider: 'external', password } as const
      return window.host.outcome(
        window.host.keybay.waas[what](address, { backup, ...(signal && { signal: control.signal }) }),
      )
    },
    [what, address, password, signal] as const,
  )
}

function base64(bytes: Uint8Array | undefined): string {
  return Buffer.from(bytes ?? []).toString('base64')
}

it('the page stores encrypted backups by epoch and restores from them; worthless backups are erased', async () => {
  const { keep, kept, asked } = hostStorage()
  const page = await world.visit(undefined, 'app', keep)
  const person = await world.signIn(page)
  const address = await create(page)
  expect(asked).toEqual(['save 0', 'load 0'])
  const { header, shares } = await openTestBackup(kept.get(0) ?? new Uint8Array(), password)
  expect([header.address, shares.map(({ party }) => party)]).toEqual([address, ['B1']])
  expect((await getWallet(page))?.backup).toMatchObject({ state: 'current', providers: ['external'] })

  const refreshing = attempt(page, 'refresh', address)
  // The page's functions get no new backup that the page can open before the user agrees.
  await (await getFrame(page, 'visible')).getByText('goes to the page’s own storage, under a password').waitFor()
  expect(asked).toHaveLength(2)
  await letPageOpen(page)
  expect(await refreshing).toMatchObject({ value: { wallet: { epoch: 1 } } })
  expect(asked.slice(2)).toEqual(['save 1', 'load 1', 'erase 1'])
  expect([...kept.keys()]).toEqual([1])

  const other = await world.visit(await world.newContext(), 'app', keep)
  await world.signIn(other, person)
  await getWallet(other)
  const restoring = other.evaluate(
    ([address, password]) => {
      const displayContainer = document.createElement('div')
      displayContainer.style.cssText = 'width:420px;height:640px'
      document.body.append(displayContainer)
      const backup = { provider: 'external', password } as const
      const { waas } = window.host.keybay
      return window.host.outcome(waas.restoreBackup(address, { displayContainer, backup, mode: 'replace-device' }))
    },
    [address, password] as const,
  )
  await press((await getFrame(other, 'visible')).getByRole('button', { name: 'Replace it', exact: true }))
  expect(await restoring).toMatchObject({ value: { accountAddress: address, here: true, epoch: 2 } })
  expect([...kept.keys()]).toEqual([2])
  expect(isSignature(address, 'restored', await sign(other, address, 'restored'))).toBe(true)
}, 240_000)

it('a page storage that fails, lies or never responds leaves the old backup valid, and the next attempt succeeds', async () => {
  const storage = hostStorage()
  const { kept } = storage
  const page = await world.visit(undefined, 'app', storage.keep)
  await world.signIn(page)
  const address = await create(page)
  const old = kept.get(0) ?? new Uint8Array()
  const stranger = hostStorage()
  const elsewhere = await world.visit(await world.newContext(), 'app', stranger.keep)
  await world.signIn(elsewhere)
  await create(elsewhere)
  const flipped = Uint8Array.from(old)
  flipped[flipped.length - 20] = (flipped[flipped.length - 20] ?? 0) ^ 1
  const broken = () => Promise.reject(new Error('the disk is full'))

  // Reading back changes nothing.
  for (const [load, code] of [
    [broken, 'frame_backup_host'],
    [() => undefined, 'frame_backup_missing'],
    [() => base64(new Uint8Array(200)), 'mpc_backup_malformed'],
    [() => base64(new Uint8Array(100_000)), 'frame_backup_host'],
    [() => base64(stranger.kept.get(0)), 'frame_backup_wrong'],
    [() => base64(old.slice(0, -1)), 'mpc_backup_unreadable'],
    [() => base64(flipped), 'mpc_backup_unreadable'],
  ] as const) {
    storage.instead = load
    expect(await attempt(page, 'verifyBackup', address)).toMatchObject({ code })
  }
  // Breaks each of the two steps of a refresh.
  for (const [instead, code] of [
    [broken, 'frame_backup_host'],
    [(action: string) => (action === 'load' ? base64(old) : undefined), 'frame_backup_wrong'],
  ] as const) {
    storage.instead = instead
    const refreshing = attempt(page, 'refresh', address)
    // The confirmed refresh that has begun goes on.
    if (instead === broken) await letPageOpen(page)
    expect(await refreshing).toMatchObject({ code })
    expect(await getWallet(page)).toMatchObject({ epoch: 0 })
    expect(isSignature(address, code, await sign(page, address, code))).toBe(true)
  }
  // The frame waits for a function that never answers until the user cancels.
  storage.instead = () => new Promise(() => {})
  const waiting = attempt(page, 'verifyBackup', address, true)
  await expect.poll(() => storage.asked.at(-1)).toBe('load 0')
  await page.evaluate(() => Reflect.get(window, 'leave')())
  expect(await waiting).toMatchObject({ code: 'aborted' })
  expect(readBackupHeader(kept.get(0) ?? new Uint8Array()).set.epoch).toBe(0)

  storage.instead = undefined
  expect(await attempt(page, 'refresh', address)).toMatchObject({ value: { wallet: { epoch: 1 } } })
  expect([...kept.keys()]).toEqual([1])
  expect(await attempt(page, 'verifyBackup', address)).toMatchObject({ value: { provider: 'external', epoch: 1 } })
}, 240_000)

it('creates no wallet and says why if the page names itself as backup storage without storage functions', async () => {
  const page = await world.visit()
  await world.signIn(page)
  const outcome = await page.evaluate(
    password =>
      window.host.outcome(
        window.host.keybay.waas.createWallet({
          scheme: 'TWO_OF_THREE',
          backup: { provider: 'external', keeper: 'host', password },
        }),
      ),
    password,
  )
  expect(outcome).toMatchObject({ code: 'frame_backup_host' })
  expect(await page.evaluate(() => window.host.keybay.waas.wallets())).toEqual([])
}, 240_000)
