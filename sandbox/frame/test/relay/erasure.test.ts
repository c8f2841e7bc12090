/**
 * Tests that users keep their shares whatever R1 signs. The frame's operations and storage are real; R1 lies with its
 * own key.
 */
import { settings } from '@keybay/sandbox-api/testing/client'
import { newRelayKeys } from '@keybay/sandbox-relay/testing/relay-keys'
import { startWorld, type User, type World } from '@keybay/sandbox-relay/testing/world'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Device, openDevice, PASSWORD } from './device.js'
import { createLiar, type ListedWallet, lyingAbout, otherPackage, refusing, withLie } from './liar.js'

const r1Keys = newRelayKeys()
const liar = createLiar(r1Keys)
const DAY_MS = 86_400_000
const backup = { provider: 'external', keeper: 'host', password: PASSWORD } as const

let world: World
let user: User
beforeAll(async () => {
  const local = { ...settings, embeddedWallets: { enabled: true, mostPerUser: 1000 } }
  world = await startWorld({
    r1: { keys: r1Keys.keys, limitFactor: 10_000 },
    r2: { limitFactor: 10_000 },
    api: { environments: { local } },
  })
}, 120_000)
afterAll(() => world.stop())

async function openWallet(): Promise<{ readonly device: Device; readonly accountAddress: string }> {
  user = await world.user()
  const device = await openDevice(world, user)
  const { wallet } = await device.send('createWalletAccount', { thresholdSignatureScheme: 'TWO_OF_THREE', backup })
  await device.send('getWallets', {})
  return { device, accountAddress: wallet.accountAddress }
}

async function list(device: Device) {
  return (await device.send('getWallets', {}))[0]
}

async function signs(device: Device, accountAddress: string): Promise<void> {
  const { signature } = await device.send('signMessage', { accountAddress, message: 'hello' })
  expect(signature).toHaveLength(64)
}
/** Sweeps the store once a day. */
async function useDaily(device: Device, days: number): Promise<void> {
  for (let day = 0; day < days; day++) {
    device.skewMs += DAY_MS
    await device.store.sweep(user.userId, world.r1.clock.now() + device.skewMs)
  }
}

function revoked(kind: string) {
  return lyingAbout(wallet => ({
    ...wallet,
    sets: wallet.sets.map(set => liar.forge(set, claims => (claims.kind === kind ? { status: 'revoked' } : {}))),
  }))
}

function primaryAs(changes: (pub: string) => { readonly epoch: number; readonly pub: string }) {
  return lyingAbout(wallet => ({ ...wallet, sets: wallet.sets.map(set => liar.forge(set, ({ pub }) => changes(pub))) }))
}
/** Lists the wallet in its present state from now on. */
async function getReplay(device: Device) {
  let before: ListedWallet | undefined
  const remember = lyingAbout(wallet => {
    before = wallet
    return wallet
  })
  await withLie(device, remember, () => list(device))
  return lyingAbout(wallet => before ?? wallet)
}

function refresh(device: Device, accountAddress: string) {
  return device.send('refreshWalletAccountShares', { accountAddress, backup })
}

describe('a record that says the primary set is revoked', () => {
  it('seals a primary share that a record revokes; the share can be copied offline, and an honest record restores it', async () => {
    const { device, accountAddress } = await openWallet()
    const wallet = await withLie(device, revoked('primary'), () => list(device))
    expect(wallet).toMatchObject({ here: false, sets: [{ kind: 'primary', revoked: true, kept: true, here: false }] })
    await expect(signs(device, accountAddress)).rejects.toMatchObject({ code: 'set_revoked' })
    await useDaily(device, 400)
    expect(await device.recovers(accountAddress)).toBe(true)
    const { keyShares } = await withLie(
      device,
      () => Promise.reject(new Error('no relay is asked')),
      () => device.send('exportClientKeyshares', { accountAddress, password: PASSWORD }),
    )
    expect(keyShares).toHaveLength(1)
    device.skewMs = 0
    expect(await list(device)).toMatchObject({ here: true })
    await signs(device, accountAddress)
  })

  it('erases the share of a revoked primary set only when the user agrees to that question', async () => {
    const { device, accountAddress } = await openWallet()
    const wallet = await withLie(device, revoked('primary'), () => list(device))
    const request = { accountAddress, setId: wallet?.setId ?? '' }
    await expect(device.send('revokeSet', request, false)).rejects.toMatchObject({ code: 'consent_required' })
    device.answer = () => false
    await expect(device.send('revokeSet', request)).rejects.toMatchObject({ code: 'user_rejected' })
    expect(await device.recovers(accountAddress)).toBe(true)
    device.answer = () => true
    const { wallet: after } = await device.send('revokeSet', request)
    expect(device.agreed.at(-1)).toBe('Erase the key share in this browser?')
    expect(after.sets[0]).not.toHaveProperty('kept')
    expect(await device.kept()).toEqual([])
  })

  it('erases only the share that the user saw, not a share that is valid again or that another tab changed', async () => {
    const { device, accountAddress } = await openWallet()
    const wallet = await withLie(device, revoked('primary'), () => list(device))
    const request = { accountAddress, setId: wallet?.setId ?? '' }
    /** Runs an action of another tab while the user reads the question. */
    const whileAsked = (act: () => Promise<unknown>) => {
      device.meanwhile = act
      return expect(device.send('revokeSet', request)).rejects.toMatchObject({ code: 'frame_share_changed' })
    }
    await whileAsked(() => list(device))
    expect(await list(device)).toMatchObject({ here: true })
    await withLie(device, revoked('primary'), () => list(device))
    await whileAsked(async () => {
      await device.send('restoreBackup', { accountAddress, backup, mode: 'replace-device' })
      await withLie(device, revoked('primary'), () => list(device))
    })
    expect(await list(device)).toMatchObject({ here: true, epoch: 1 })
    await signs(device, accountAddress)
  })

  it('restores a revoked wallet from its backup in the same browser, and keeps the old share until the commit', async () => {
    const { device, accountAddress } = await openWallet()
    await withLie(device, revoked('primary'), () => list(device))
    const restore = () => device.send('restoreBackup', { accountAddress, backup, mode: 'replace-device' })
    await expect(withLie(device, refusing('/commit', 'internal_error', 'before'), restore)).rejects.toThrow()
    expect(await device.recovers(accountAddress)).toBe(true)
    expect((await device.kept())[0]?.aside).toHaveLength(1)
    expect(await list(device)).toMatchObject({ here: true, epoch: 0 })
    await signs(device, accountAddress)
  })
})

it('refuses to revoke the primary set before the user sees a question, whatever the relay would answer', async () => {
  const { device, accountAddress } = await openWallet()
  const wallet = await list(device)
  const asked = device.agreed.length
  const request = { accountAddress, setId: wallet?.setId ?? '' }
  await expect(device.send('revokeSet', request)).rejects.toMatchObject({ code: 'frame_primary_set' })
  expect(device.agreed).toHaveLength(asked)
  await signs(device, accountAddress)
})

describe('a record that says an additional set is revoked', () => {
  const addDevice = async () => {
    const { device: first, accountAddress } = await openWallet()
    const device = await openDevice(world, user)
    for (const [place, envelope] of first.backups) device.backups.set(place, envelope)
    await list(device)
    await device.send('restoreBackup', { accountAddress, backup })
    return { device, accountAddress }
  }

  it('keeps the share of a revoked additional set for 30 days of use, despite clock jumps, and then erases it', async () => {
    const { device, accountAddress } = await addDevice()
    await withLie(device, revoked('device'), () => list(device))
    await expect(signs(device, accountAddress)).rejects.toMatchObject({ code: 'set_revoked' })
    device.skewMs += 400 * DAY_MS
    await device.store.sweep(user.userId, world.r1.clock.now() + device.skewMs)
    expect(await device.kept(), 'one jump of 400 days').toHaveLength(1)
    device.skewMs -= 800 * DAY_MS
    await useDaily(device, 29)
    expect(await device.kept()).toHaveLength(1)
    await useDaily(device, 1)
    expect(await device.kept()).toEqual([])
  })

  it('a revoked additional set stays revoked when the relay lists the set as active again, as after a database restore', async () => {
    const { device, accountAddress } = await addDevice()
    await withLie(device, revoked('device'), () => list(device))
    expect(await list(device)).toMatchObject({ here: false })
    await expect(signs(device, accountAddress)).rejects.toMatchObject({ code: 'set_revoked' })
  })

  it('erases the share of a revoked additional set before the 30 days end if the user agrees', async () => {
    const { device, accountAddress } = await addDevice()
    await withLie(device, revoked('device'), () => list(device))
    const [set] = await device.kept()
    await device.send('revokeSet', { accountAddress, setId: set?.setId ?? '' })
    expect(await device.kept()).toEqual([])
  })

  it('keeps a revoked share for all 30 days even if its creation seemed to have ended before', async () => {
    const { device: first, accountAddress } = await openWallet()
    const device = await openDevice(world, user)
    for (const [place, envelope] of first.backups) device.backups.set(place, envelope)
    await list(device)
    const restore = () => device.send('restoreBackup', { accountAddress, backup })
    await expect(withLie(device, refusing('/commit', 'ceremony_not_found', 'before'), restore)).rejects.toThrow()
    await useDaily(device, 29)
    const [ended] = await device.kept()
    const pub = Buffer.from(ended?.share.set ?? []).toString('base64url')
    const lie = lyingAbout(wallet => ({
      ...wallet,
      sets: wallet.sets.flatMap(set => [
        set,
        liar.forge(set, () => ({ set: ended?.setId ?? '', kind: 'device', epoch: 0, status: 'revoked', pub })),
      ]),
    }))
    await withLie(device, lie, () => list(device))
    await useDaily(device, 29)
    expect(await device.kept()).toMatchObject([{ retired: { reason: 'revoked' } }])
    await useDaily(device, 1)
    expect(await device.kept()).toEqual([])
  })

  it('setting a password for a new share does not change the protected share of a revoked set', async () => {
    const { device, accountAddress } = await addDevice()
    await device.send('setPassword', { accountAddress, newPassword: 'first password' })
    await withLie(device, revoked('device'), () => list(device))
    await device.send('restoreBackup', { accountAddress, backup })
    await device.send('setPassword', { accountAddress, newPassword: 'second password' })
    expect(await device.kept()).toHaveLength(2)
    expect(await device.send('verifyPassword', { accountAddress, password: 'second password' })).toBe(true)
  })

  it('a device whose additional set is revoked can restore from the backup again', async () => {
    const { device, accountAddress } = await addDevice()
    await withLie(device, revoked('device'), () => list(device))
    await device.send('restoreBackup', { accountAddress, backup })
    await signs(device, accountAddress)
  })
})

describe('a resharing that waits for its commit', () => {
  const openPending = async () => {
    const opened = await openWallet()
    const { device, accountAddress } = opened
    const interrupted = withLie(device, refusing('/commit', 'internal_error', 'before'), () =>
      refresh(device, accountAddress),
    )
    await expect(interrupted).rejects.toMatchObject({ code: 'internal_error' })
    expect((await device.kept())[0]?.pending).toBeDefined()
    return opened
  }

  it('a record with another public package does not commit a resharing: both shares stay, and the user gets an error', async () => {
    const { device, accountAddress } = await openPending()
    const lie = primaryAs(pub => ({ epoch: 1, pub: otherPackage(pub, 1) }))
    expect(await withLie(device, lie, () => list(device))).toMatchObject({ here: false, epoch: 1 })
    const [kept] = await device.kept()
    expect([kept?.share.epoch, kept?.pending?.share.epoch]).toEqual([0, 1])
    const refused = refusing('/sign', 'epoch_mismatch', 'before')
    const lies = (path: string, send: () => Promise<Response>) => refused(path, send) ?? lie(path, send)
    await expect(withLie(device, lies, () => signs(device, accountAddress))).rejects.toMatchObject({
      code: 'frame_share_replaced',
    })
    expect(await device.recovers(accountAddress)).toBe(true)
    await list(device)
    await signs(device, accountAddress)
    expect((await refresh(device, accountAddress)).wallet.epoch).toBe(1)
    await signs(device, accountAddress)
  })

  it('an unsigned epoch alone does not commit a pending resharing', async () => {
    const { device, accountAddress } = await openPending()
    const lie = refusing('/sign', 'epoch_mismatch', 'before')
    await expect(withLie(device, lie, () => signs(device, accountAddress))).rejects.toThrow()
    expect((await device.kept())[0]?.share.epoch).toBe(0)
    await signs(device, accountAddress)
  })

  it('a pending resharing survives a fast or slow browser clock and a relay that has forgotten the ceremony', async () => {
    const { device, accountAddress } = await openWallet()
    for (const skewMs of [0, -90 * 60_000, 40 * DAY_MS]) {
      const epoch = (await list(device))?.epoch ?? 0
      device.skewMs = 0
      await expect(
        withLie(device, refusing('/commit', 'internal_error', 'after'), () => refresh(device, accountAddress)),
      ).rejects.toMatchObject({ code: 'internal_error' })
      device.skewMs = skewMs
      await withLie(device, refusing('/commit', 'ceremony_not_found', 'before'), () =>
        refresh(device, accountAddress).catch(() => undefined),
      )
      expect(await list(device)).toMatchObject({ here: true, epoch: epoch + 1 })
      await signs(device, accountAddress)
    }
  })

  it('a pending resharing waits unchanged while its record is unavailable, and the same ceremony continues', async () => {
    const { device, accountAddress } = await openWallet()
    const lost = refusing('/commit', 'ceremony_not_found', 'before')
    const silent = refusing('/state', 'internal_error', 'before')
    const lies = (path: string, send: () => Promise<Response>) => lost(path, send) ?? silent(path, send)
    await expect(withLie(device, lies, () => refresh(device, accountAddress))).rejects.toMatchObject({
      code: 'ceremony_not_found',
    })
    const [kept] = await device.kept()
    expect(kept?.pending).not.toHaveProperty('ended')
    const dealt: string[] = []
    const { wallet } = await withLie(
      device,
      path => {
        dealt.push(path)
        return undefined
      },
      () => refresh(device, accountAddress),
    )
    expect(wallet.epoch).toBe(1)
    expect(dealt.filter(path => path.endsWith('/begin'))).toEqual([])
  })

  it('R1 gives the same answer to a resharing commit that is repeated hours later', async () => {
    const { device, accountAddress } = await openWallet()
    const lost = refusing('/commit', 'internal_error', 'after')
    await expect(withLie(device, lost, () => refresh(device, accountAddress))).rejects.toThrow()
    world.r1.clock.advance(3 * 3_600_000)
    await world.r1.sweep()
    world.r1.clock.reset()
    const answers: string[] = []
    await withLie(
      device,
      (path, send) =>
        send().then(response => {
          answers.push(`${path.split('/').at(-1)} ${response.status}`)
          return response
        }),
      () => refresh(device, accountAddress),
    )
    expect(answers).toEqual(['commit 200'])
    await signs(device, accountAddress)
  })

  it('a late record commits a resharing that the relay denied while the relay still listed the old epoch', async () => {
    const { device, accountAddress } = await openWallet()
    const replay = await getReplay(device)
    const refused = refusing('/commit', 'ceremony_state', 'after')
    const lies = (path: string, send: () => Promise<Response>) => refused(path, send) ?? replay(path, send)
    await expect(withLie(device, lies, () => refresh(device, accountAddress))).rejects.toMatchObject({
      code: 'ceremony_state',
    })
    expect(await withLie(device, replay, () => list(device))).toMatchObject({ epoch: 0 })
    expect(await device.recovers(accountAddress)).toBe(true)
    expect(await list(device)).toMatchObject({ here: true, epoch: 1 })
    await signs(device, accountAddress)
  })

  it('keeps every share that another share replaced, and restores the share that a record names', async () => {
    const { device, accountAddress } = await openWallet()
    const ended = refusing('/commit', 'ceremony_state', 'before')
    await expect(withLie(device, ended, () => refresh(device, accountAddress))).rejects.toThrow()
    const [first] = await device.kept()
    const interrupted = refusing('/commit', 'internal_error', 'before')
    await expect(withLie(device, interrupted, () => refresh(device, accountAddress))).rejects.toThrow()
    const [both] = await device.kept()
    expect(both?.pending?.ceremonyId).not.toBe(first?.pending?.ceremonyId)
    expect(both?.aside?.map(({ pending }) => pending?.share.set)).toEqual([first?.pending?.share.set])
    const pub = Buffer.from(first?.pending?.share.set ?? []).toString('base64url')
    await withLie(
      device,
      primaryAs(() => ({ epoch: 1, pub })),
      () => list(device),
    )
    const [changed] = await device.kept()
    expect(changed?.share.set).toEqual(first?.pending?.share.set)
    expect(changed?.aside).toHaveLength(2)
    expect(await list(device)).toMatchObject({ here: true, epoch: 0 })
    await signs(device, accountAddress)
    expect((await refresh(device, accountAddress)).wallet.epoch).toBe(1)
    expect(await device.kept()).toMatchObject([{ share: { epoch: 1 } }])
    expect((await device.kept())[0]?.aside).toBeUndefined()
    expect((await device.kept())[0]?.pending).toBeUndefined()
  })
})

describe('a ceremony that the user gave up', () => {
  const refused = refusing('/commit', 'ceremony_not_found', 'before')
  /** Lists a record that puts these shares in force, at epoch 1. */
  const commitLater = async (device: Device, set: Uint8Array | undefined) => {
    const pub = Buffer.from(set ?? []).toString('base64url')
    await withLie(
      device,
      primaryAs(() => ({ epoch: 1, pub })),
      () => list(device),
    )
  }
  /** Deletes the backup of the shares that never came into force, as the user. */
  const deleteNewBackup = (device: Device) => {
    for (const place of device.backups.keys()) if (place.endsWith(' 1')) device.backups.delete(place)
  }

  it('keeps the share that fits the old backup when R1 commits a refresh after the user gave up', async () => {
    const { device, accountAddress } = await openWallet()
    await expect(withLie(device, refused, () => refresh(device, accountAddress))).rejects.toThrow()
    const [kept] = await device.kept()
    deleteNewBackup(device)
    await commitLater(device, kept?.pending?.share.set)
    expect(await device.recovers(accountAddress)).toBe(true)
    expect(await list(device)).toMatchObject({ here: true, epoch: 0 })
    await signs(device, accountAddress)
  })

  it('keeps the share that fits the old backup when R1 commits a reshare to 2-of-2 after the user gave up', async () => {
    const { device, accountAddress } = await openWallet()
    const schemes = { oldThresholdSignatureScheme: 'TWO_OF_THREE', newThresholdSignatureScheme: 'TWO_OF_TWO' } as const
    const reshare = () => device.send('reshare', { accountAddress, ...schemes })
    await expect(withLie(device, refused, reshare)).rejects.toThrow()
    const [kept] = await device.kept()
    await commitLater(device, kept?.pending?.share.set)
    expect(await device.recovers(accountAddress)).toBe(true)
  })

  it('keeps the share that fits the old backup when R1 commits a device replacement after the user gave up', async () => {
    const { device, accountAddress } = await openWallet()
    await withLie(device, revoked('primary'), () => list(device))
    const replace = () => device.send('restoreBackup', { accountAddress, backup, mode: 'replace-device' })
    await expect(withLie(device, refusing('/commit', 'internal_error', 'before'), replace)).rejects.toThrow()
    const [kept] = await device.kept()
    deleteNewBackup(device)
    await commitLater(device, kept?.share.set)
    expect(await device.recovers(accountAddress)).toBe(true)
  })
})

it('refuses a refresh with a backup if the scheme has no backup share, and changes nothing', async () => {
  user = await world.user()
  const device = await openDevice(world, user)
  const { wallet } = await device.send('createWalletAccount', { thresholdSignatureScheme: 'TWO_OF_TWO' })
  await list(device)
  await expect(refresh(device, wallet.accountAddress)).rejects.toMatchObject({ code: 'backup_unsupported' })
  expect(await list(device)).toMatchObject({ here: true, epoch: 0 })
})

it('erases the old share once the run that made the new backup has the record, even if R1 first denied the commit', async () => {
  const { device, accountAddress } = await openWallet()
  await withLie(device, refusing('/commit', 'ceremony_state', 'after'), () => refresh(device, accountAddress))
  const [kept] = await device.kept()
  expect(kept).toMatchObject({ share: { epoch: 1 } })
  expect(kept?.aside).toBeUndefined()
})

describe('a record of another state', () => {
  it('a record that is older than the local share changes nothing', async () => {
    const { device, accountAddress } = await openWallet()
    const replay = await getReplay(device)
    await refresh(device, accountAddress)
    expect(await withLie(device, replay, () => list(device))).toMatchObject({ here: false, epoch: 0 })
    const restore = () => device.send('restoreBackup', { accountAddress, backup, mode: 'replace-device' })
    await expect(withLie(device, replay, restore)).rejects.toMatchObject({ code: 'frame_device_here' })
    await list(device)
    await signs(device, accountAddress)
  })

  it('shares with another public package of the same epoch count as missing, and the backup can restore the wallet', async () => {
    const { device, accountAddress } = await openWallet()
    const lie = primaryAs(pub => ({ epoch: 0, pub: otherPackage(pub, 0) }))
    const wallet = await withLie(device, lie, () => list(device))
    expect(wallet).toMatchObject({ here: false, sets: [{ here: false }], backup: { state: 'unverified' } })
    const restore = () => device.send('restoreBackup', { accountAddress, backup, mode: 'replace-device' })
    await expect(withLie(device, lie, restore)).rejects.not.toMatchObject({ code: 'frame_device_here' })
    expect(await device.recovers(accountAddress)).toBe(true)
    await list(device)
    await expect(restore()).rejects.toMatchObject({ code: 'frame_device_here' })
    await signs(device, accountAddress)
  })

  it('a record that lists the set under another wallet changes nothing', async () => {
    const { device, accountAddress } = await openWallet()
    const other = await device.send('createWalletAccount', { thresholdSignatureScheme: 'TWO_OF_TWO' })
    const [victim] = await device.kept().then(all => all.filter(set => set.address === accountAddress))
    const lie = lyingAbout(wallet =>
      wallet.walletId === other.wallet.walletId
        ? {
            ...wallet,
            sets: [
              ...wallet.sets,
              ...wallet.sets.map(set =>
                liar.forge(set, () => ({ set: victim?.setId ?? '', kind: 'device', status: 'revoked' })),
              ),
            ],
          }
        : { ...wallet, sets: [...wallet.sets].reverse() },
    )
    await withLie(device, lie, () => list(device))
    await list(device)
    await signs(device, accountAddress)
  })

  it('keeps a new wallet that the relay omits from its list, however much time passes', async () => {
    user = await world.user()
    const device = await openDevice(world, user)
    const create = () =>
      device.send('createWalletAccount', { thresholdSignatureScheme: 'TWO_OF_THREE', backup, idempotencyKey: 'one' })
    await expect(withLie(device, refusing('/finish', 'internal_error', 'after'), create)).rejects.toThrow()
    device.skewMs = 400 * DAY_MS
    await withLie(
      device,
      path => (path.endsWith('/list') ? Promise.resolve(Response.json({ wallets: [] })) : undefined),
      () => list(device),
    )
    await useDaily(device, 100)
    const wallet = await list(device)
    expect(wallet).toMatchObject({ here: true })
    await signs(device, wallet?.accountAddress ?? '')
  })
})
