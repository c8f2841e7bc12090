/** Tests a resharing that waits for its commit: no error code and no record makes the user lose the last share. */
import { describe, expect, it } from 'vitest'
import type { Device, Intercept } from './device.js'
import { type ListedWallet, lyingAbout, otherPackage, refusing } from './liar.js'
import { DAY_MS, getWorld, listedAs, openWallet, revoked, setUpRelays } from './wallet.js'

setUpRelays()

const interrupted = refusing('/commit', 'internal_error', 'before')
/** R1 commits, and the response is lost. */
const unanswered = refusing('/commit', 'internal_error', 'after')
const unknown = refusing('/commit', 'ceremony_not_found', 'before')

/** Tells the first lie that concerns a request. */
function both(first: Intercept, second: Intercept): Intercept {
  return (path, send) => first(path, send) ?? second(path, send)
}

/** Lists a record that puts these shares in force, at epoch 1. */
function committed(set: Uint8Array | undefined): Intercept {
  const pub = Buffer.from(set ?? []).toString('base64url')
  return listedAs(() => ({ epoch: 1, pub }))
}

describe('a resharing that waits for its commit', () => {
  const openPending = async () => {
    const opened = await openWallet()
    await expect(opened.refresh(interrupted)).rejects.toMatchObject({ code: 'internal_error' })
    expect((await opened.device.kept())[0]?.pending).toBeDefined()
    return opened
  }

  it('a record with another public package does not commit a resharing: both shares stay, and the user gets an error', async () => {
    const { device, list, signs, refresh, recovers } = await openPending()
    const lie = listedAs(pub => ({ epoch: 1, pub: otherPackage(pub, 1) }))
    expect(await list(lie)).toMatchObject({ here: false, epoch: 1 })
    const [stored] = await device.kept()
    expect([stored?.share.epoch, stored?.pending?.share.epoch]).toEqual([0, 1])
    const lies = both(refusing('/sign', 'epoch_mismatch', 'before'), lie)
    await expect(signs(lies)).rejects.toMatchObject({ code: 'frame_share_replaced' })
    expect(await recovers()).toBe(true)
    await list()
    await signs()
    expect((await refresh()).wallet.epoch).toBe(1)
    await signs()
  })

  it('an unsigned epoch alone does not commit a pending resharing', async () => {
    const { device, signs } = await openPending()
    await expect(signs(refusing('/sign', 'epoch_mismatch', 'before'))).rejects.toThrow()
    expect((await device.kept())[0]?.share.epoch).toBe(0)
    await signs()
  })

  it('a pending resharing survives a fast or slow browser clock and a relay that has forgotten the ceremony', async () => {
    const { device, list, signs, refresh } = await openWallet()
    for (const skewMs of [0, -90 * 60_000, 40 * DAY_MS]) {
      const epoch = (await list())?.epoch ?? 0
      device.skewMs = 0
      await expect(refresh(unanswered)).rejects.toMatchObject({ code: 'internal_error' })
      device.skewMs = skewMs
      await refresh(unknown).catch(() => undefined)
      expect(await list()).toMatchObject({ here: true, epoch: epoch + 1 })
      await signs()
    }
  })

  it('a pending resharing waits unchanged while its record is unavailable, and the same ceremony continues', async () => {
    const { device, refresh } = await openWallet()
    const lies = both(unknown, refusing('/state', 'internal_error', 'before'))
    await expect(refresh(lies)).rejects.toMatchObject({ code: 'ceremony_not_found' })
    const [stored] = await device.kept()
    expect(stored?.pending).not.toHaveProperty('ended')
    const paths: string[] = []
    const { wallet } = await refresh(path => {
      paths.push(path)
      return undefined
    })
    expect(wallet.epoch).toBe(1)
    expect(paths.filter(path => path.endsWith('/begin'))).toEqual([])
  })

  it('R1 gives the same answer to a resharing commit that is repeated hours later', async () => {
    const { signs, refresh } = await openWallet()
    await expect(refresh(unanswered)).rejects.toThrow()
    const { r1 } = getWorld()
    r1.clock.advance(3 * 3_600_000)
    await r1.sweep()
    r1.clock.reset()
    const answers: string[] = []
    await refresh(async (path, send) => {
      const response = await send()
      answers.push(`${path.split('/').at(-1)} ${response.status}`)
      return response
    })
    expect(answers).toEqual(['commit 200'])
    await signs()
  })

  it('a late record commits a resharing that the relay denied while the relay still listed the old epoch', async () => {
    const { list, signs, refresh, recovers } = await openWallet()
    let before: ListedWallet | undefined
    const replay = lyingAbout(wallet => {
      before ??= wallet
      return before
    })
    await list(replay)
    const lies = both(refusing('/commit', 'ceremony_state', 'after'), replay)
    await expect(refresh(lies)).rejects.toMatchObject({ code: 'ceremony_state' })
    expect(await list(replay)).toMatchObject({ epoch: 0 })
    expect(await recovers()).toBe(true)
    expect(await list()).toMatchObject({ here: true, epoch: 1 })
    await signs()
  })

  it('keeps every share that another share replaced, and restores the share that a record names', async () => {
    const { device, list, signs, refresh } = await openWallet()
    await expect(refresh(refusing('/commit', 'ceremony_state', 'before'))).rejects.toThrow()
    const [first] = await device.kept()
    await expect(refresh(interrupted)).rejects.toThrow()
    const [second] = await device.kept()
    expect(second?.pending?.ceremonyId).not.toBe(first?.pending?.ceremonyId)
    expect(second?.aside?.map(({ pending }) => pending?.share.set)).toEqual([first?.pending?.share.set])
    await list(committed(first?.pending?.share.set))
    const [changed] = await device.kept()
    expect(changed?.share.set).toEqual(first?.pending?.share.set)
    expect(changed?.aside).toHaveLength(2)
    expect(await list()).toMatchObject({ here: true, epoch: 0 })
    await signs()
    expect((await refresh()).wallet.epoch).toBe(1)
    expect(await device.kept()).toMatchObject([{ share: { epoch: 1 } }])
    expect((await device.kept())[0]?.aside).toBeUndefined()
    expect((await device.kept())[0]?.pending).toBeUndefined()
  })
})

describe('a ceremony that the user gave up', () => {
  /** Deletes the backup of the shares that never came into force, as the user. */
  const deleteNewBackup = ({ backups }: Device) => {
    for (const place of backups.keys()) if (place.endsWith(' 1')) backups.delete(place)
  }

  it('keeps the share that fits the old backup when R1 commits a refresh after the user gave up', async () => {
    const { device, list, signs, refresh, recovers } = await openWallet()
    await expect(refresh(unknown)).rejects.toThrow()
    const [stored] = await device.kept()
    deleteNewBackup(device)
    await list(committed(stored?.pending?.share.set))
    expect(await recovers()).toBe(true)
    expect(await list()).toMatchObject({ here: true, epoch: 0 })
    await signs()
  })

  it('keeps the share that fits the old backup when R1 commits a reshare to 2-of-2 after the user gave up', async () => {
    const { device, accountAddress, list, recovers } = await openWallet()
    const schemes = { oldThresholdSignatureScheme: 'TWO_OF_THREE', newThresholdSignatureScheme: 'TWO_OF_TWO' } as const
    device.intercept = unknown
    await expect(device.send('reshare', { accountAddress, ...schemes })).rejects.toThrow()
    const [stored] = await device.kept()
    await list(committed(stored?.pending?.share.set))
    expect(await recovers()).toBe(true)
  })

  it('keeps the share that fits the old backup when R1 commits a device replacement after the user gave up', async () => {
    const { device, list, restore, recovers } = await openWallet()
    await list(revoked('primary'))
    await expect(restore('replace-device', interrupted)).rejects.toThrow()
    const [stored] = await device.kept()
    deleteNewBackup(device)
    await list(committed(stored?.share.set))
    expect(await recovers()).toBe(true)
  })
})

it('refuses a refresh with a backup if the scheme has no backup share, and changes nothing', async () => {
  const { list, refresh } = await openWallet('TWO_OF_TWO')
  await expect(refresh()).rejects.toMatchObject({ code: 'backup_unsupported' })
  expect(await list()).toMatchObject({ here: true, epoch: 0 })
})

it('erases the old share once the run that made the new backup has the record, even if R1 first denied the commit', async () => {
  const { device, refresh } = await openWallet()
  await refresh(refusing('/commit', 'ceremony_state', 'after'))
  const [stored] = await device.kept()
  expect(stored).toMatchObject({ share: { epoch: 1 } })
  expect(stored?.aside).toBeUndefined()
})
