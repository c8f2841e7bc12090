/** Tests backups in the page's own storage: the page gets sealed data only, and the frame checks what it returns. */
import { readBackupHeader } from '@keybay/waas/mpc'
import { expect, it } from 'vitest'
import { createHostStorage } from './host-storage.js'
import { beginRestore } from './recover.js'
import {
  agree,
  attempt,
  call,
  enter,
  expectSigns,
  FILE,
  letPageOpen,
  openTestBackup,
  password,
  readWallet,
} from './user.js'
import { getFrame, setUpWorld } from './world.js'

const world = setUpWorld()

/** Signs a new user in on a page with its own storage, and creates a wallet with its backup there. */
async function openKeeping() {
  const storage = createHostStorage()
  const entered = await enter(world, undefined, await world.visit(undefined, 'app', storage.keep))
  const { wallet } = await call(entered.page, 'createWallet', { scheme: 'TWO_OF_THREE', backup: FILE })
  return { ...entered, storage, address: wallet.accountAddress }
}

function toBase64(bytes: Uint8Array | undefined): string {
  return Buffer.from(bytes ?? []).toString('base64')
}

it('the page stores encrypted backups by epoch and restores from them; worthless backups are erased', async () => {
  const { page, user, storage, address } = await openKeeping()
  const { keep, envelopes, calls } = storage
  expect(calls).toEqual(['save 0', 'load 0'])
  const { header, shares } = await openTestBackup(envelopes.get(0), password)
  expect([header.address, shares.map(({ party }) => party)]).toEqual([address, ['B1']])
  expect((await readWallet(page))?.backup).toMatchObject({ state: 'current', providers: ['external'] })

  const refreshing = attempt(page, 'refresh', address, { backup: FILE })
  // The page's functions get no new backup that the page can open before the user agrees.
  await (await getFrame(page, 'visible')).getByText('goes to the page’s own storage, under a password').waitFor()
  expect(calls).toHaveLength(2)
  await letPageOpen(page)
  expect(await refreshing).toMatchObject({ value: { wallet: { epoch: 1 } } })
  expect(calls.slice(2)).toEqual(['save 1', 'load 1', 'erase 1'])
  expect([...envelopes.keys()]).toEqual([1])

  const { page: other } = await enter(world, user, await world.visit(await world.newContext(), 'app', keep))
  await readWallet(other)
  const restoring = beginRestore(other, address, 'replace-device', FILE)
  await agree(other, 'Replace it')
  expect(await restoring).toMatchObject({ value: { accountAddress: address, here: true, epoch: 2 } })
  expect([...envelopes.keys()]).toEqual([2])
  await expectSigns(other, address)
}, 240_000)

it('a page storage that fails, lies or never responds leaves the old backup valid, and the next attempt succeeds', async () => {
  const { page, storage, address } = await openKeeping()
  const { envelopes } = storage
  const old = envelopes.get(0) ?? new Uint8Array()
  const { storage: stranger } = await openKeeping()
  const flipped = Uint8Array.from(old)
  flipped[flipped.length - 20] = (flipped[flipped.length - 20] ?? 0) ^ 1
  const broken = () => Promise.reject(new Error('the disk is full'))
  const verify = () => attempt(page, 'verifyBackup', address, { backup: FILE })
  const refresh = () => attempt(page, 'refresh', address, { backup: FILE })

  // Reading back changes nothing.
  for (const [load, code] of [
    [broken, 'frame_backup_host'],
    [() => undefined, 'frame_backup_missing'],
    [() => toBase64(new Uint8Array(200)), 'mpc_backup_malformed'],
    [() => toBase64(new Uint8Array(100_000)), 'frame_backup_host'],
    [() => toBase64(stranger.envelopes.get(0)), 'frame_backup_wrong'],
    [() => toBase64(old.slice(0, -1)), 'mpc_backup_unreadable'],
    [() => toBase64(flipped), 'mpc_backup_unreadable'],
  ] as const) {
    storage.instead = load
    expect(await verify()).toMatchObject({ code })
  }
  // Breaks each of the two steps of a refresh.
  for (const [instead, code] of [
    [broken, 'frame_backup_host'],
    [(action: string) => (action === 'load' ? toBase64(old) : undefined), 'frame_backup_wrong'],
  ] as const) {
    storage.instead = instead
    const refreshing = refresh()
    // The confirmed refresh that has begun goes on.
    if (instead === broken) await letPageOpen(page)
    expect(await refreshing).toMatchObject({ code })
    expect(await readWallet(page)).toMatchObject({ epoch: 0 })
    await expectSigns(page, address)
  }
  // The frame waits for a function that never answers until the user cancels.
  storage.instead = () => new Promise(() => {})
  const waiting = page.evaluate(
    ([address, backup]) => {
      const control = new AbortController()
      Object.assign(window, { leave: () => control.abort() })
      const { outcome, keybay } = window.host
      return outcome(keybay.waas.verifyBackup(address, { backup, signal: control.signal }))
    },
    [address, FILE] as const,
  )
  await expect.poll(() => storage.calls.at(-1)).toBe('load 0')
  await page.evaluate(() => Reflect.get(window, 'leave')())
  expect(await waiting).toMatchObject({ code: 'aborted' })
  expect(readBackupHeader(envelopes.get(0) ?? new Uint8Array()).set.epoch).toBe(0)

  storage.instead = undefined
  expect(await refresh()).toMatchObject({ value: { wallet: { epoch: 1 } } })
  expect([...envelopes.keys()]).toEqual([1])
  expect(await verify()).toMatchObject({ value: { provider: 'external', epoch: 1 } })
}, 240_000)

it('creates no wallet and says why if the page names itself as backup storage without storage functions', async () => {
  const { page } = await enter(world)
  const backup = { ...FILE, keeper: 'host' } as const
  const outcome = await attempt(page, 'createWallet', { scheme: 'TWO_OF_THREE', backup })
  expect(outcome).toMatchObject({ code: 'frame_backup_host' })
  expect(await call(page, 'wallets')).toEqual([])
}, 240_000)
