/** Tests that users keep their shares when R1 signs that a set is revoked, or lists another state of the wallet. */
import { describe, expect, it } from 'vitest'
import { type Intercept, PASSWORD } from './device.js'
import { lyingAbout, otherPackage, refusing, withLie } from './liar.js'
import {
  backup,
  DAY_MS,
  forge,
  getWorld,
  listedAs,
  openBrowser,
  openSecond,
  openWallet,
  revoked,
  setUpRelays,
  useWallet,
} from './wallet.js'

setUpRelays()

describe('a record that says the primary set is revoked', () => {
  it('seals a primary share that a record revokes; the share can be copied offline, and an honest record restores it', async () => {
    const { device, accountAddress, list, signs, recovers, useDaily } = await openWallet()
    const wallet = await list(revoked('primary'))
    expect(wallet).toMatchObject({ here: false, sets: [{ kind: 'primary', revoked: true, kept: true, here: false }] })
    await expect(signs()).rejects.toMatchObject({ code: 'set_revoked' })
    await useDaily(400)
    expect(await recovers()).toBe(true)
    const offline = () => Promise.reject(new Error('no relay is asked'))
    const copy = () => device.send('exportClientKeyshares', { accountAddress, password: PASSWORD })
    expect((await withLie(device, offline, copy)).keyShares).toHaveLength(1)
    device.skewMs = 0
    expect(await list()).toMatchObject({ here: true })
    await signs()
  })

  it('erases the share of a revoked primary set only when the user agrees to that question', async () => {
    const { device, accountAddress, list, recovers } = await openWallet()
    const request = { accountAddress, setId: (await list(revoked('primary')))?.setId ?? '' }
    await expect(device.send('revokeSet', request, false)).rejects.toMatchObject({ code: 'consent_required' })
    device.answer = () => false
    await expect(device.send('revokeSet', request)).rejects.toMatchObject({ code: 'user_rejected' })
    expect(await recovers()).toBe(true)
    device.answer = () => true
    const { wallet } = await device.send('revokeSet', request)
    expect(device.agreed.at(-1)).toBe('Erase the key share in this browser?')
    expect(wallet.sets[0]).not.toHaveProperty('kept')
    expect(await device.kept()).toEqual([])
  })

  it('erases only the share that the user saw, not a share that is valid again or that another tab changed', async () => {
    const { device, accountAddress, list, signs, restore } = await openWallet()
    const request = { accountAddress, setId: (await list(revoked('primary')))?.setId ?? '' }
    /** Runs an action of another tab while the user reads the question. */
    const changeWhileAsked = (act: () => Promise<unknown>) => {
      device.whileAsked = act
      return expect(device.send('revokeSet', request)).rejects.toMatchObject({ code: 'frame_share_changed' })
    }
    await changeWhileAsked(() => list())
    expect(await list()).toMatchObject({ here: true })
    await list(revoked('primary'))
    await changeWhileAsked(async () => {
      await restore('replace-device')
      await list(revoked('primary'))
    })
    expect(await list()).toMatchObject({ here: true, epoch: 1 })
    await signs()
  })

  it('keeps older backups when another tab erases the new share before they are removed', async () => {
    const { device, accountAddress, list, refresh } = await openWallet()
    const old = [...device.backups]
    device.erasesBackups = true
    await refresh()
    expect(device.backups.size).toBe(1)
    for (const [place, envelope] of old) device.backups.set(place, envelope)
    /** Erases the share in another tab, while this one waits for the record. */
    const eraseMeanwhile: Intercept = (path, send) => {
      if (!path.endsWith('/state')) return undefined
      const erase = async () => {
        const wallet = await list(revoked('primary'))
        await device.send('revokeSet', { accountAddress, setId: wallet?.setId ?? '' })
        return send()
      }
      return erase()
    }
    await withLie(device, eraseMeanwhile, () => device.send('backupKeyShares', { accountAddress, backup }))
    expect(await device.kept()).toEqual([])
    expect(device.backups.size).toBe(2)
  })

  it('leaves no progress in the window when the set is revoked while the user reads the question', async () => {
    const { device, list, signs } = await openWallet()
    device.whileAsked = () => list(revoked('primary'))
    await expect(signs()).rejects.toMatchObject({ code: 'set_revoked' })
    expect(device.shown).toBe('')
  })

  it('restores a revoked wallet from its backup in the same browser, and keeps the old share until the commit', async () => {
    const { device, list, signs, restore, recovers } = await openWallet()
    await list(revoked('primary'))
    await expect(restore('replace-device', refusing('/commit', 'internal_error', 'before'))).rejects.toThrow()
    expect(await recovers()).toBe(true)
    expect((await device.kept())[0]?.aside).toHaveLength(1)
    expect(await list()).toMatchObject({ here: true, epoch: 0 })
    await signs()
  })
})

it('refuses to revoke the primary set before the user sees a question, whatever the relay would answer', async () => {
  const { device, accountAddress, list, signs } = await openWallet()
  const request = { accountAddress, setId: (await list())?.setId ?? '' }
  const questions = device.agreed.length
  await expect(device.send('revokeSet', request)).rejects.toMatchObject({ code: 'frame_primary_set' })
  expect(device.agreed).toHaveLength(questions)
  await signs()
})

describe('a record that says an additional set is revoked', () => {
  const openAdded = async () => {
    const second = await openSecond()
    await second.restore('add-device')
    return second
  }
  const openRevoked = async () => {
    const second = await openAdded()
    await second.list(revoked('device'))
    return second
  }

  it('keeps the share of a revoked additional set for 30 days of use, despite clock jumps, and then erases it', async () => {
    const { user, device, signs, useDaily } = await openRevoked()
    await expect(signs()).rejects.toMatchObject({ code: 'set_revoked' })
    device.skewMs += 400 * DAY_MS
    await device.store.sweep(user.userId, getWorld().r1.clock.now() + device.skewMs)
    expect(await device.kept(), 'one jump of 400 days').toHaveLength(1)
    device.skewMs -= 800 * DAY_MS
    await useDaily(29)
    expect(await device.kept()).toHaveLength(1)
    await useDaily(1)
    expect(await device.kept()).toEqual([])
  })

  it('a revoked additional set stays revoked when the relay lists the set as active again, as after a database restore', async () => {
    const { list, signs } = await openRevoked()
    expect(await list()).toMatchObject({ here: false })
    await expect(signs()).rejects.toMatchObject({ code: 'set_revoked' })
  })

  it('erases the share of a revoked additional set before the 30 days end if the user agrees', async () => {
    const { device, accountAddress } = await openRevoked()
    const [set] = await device.kept()
    await device.send('revokeSet', { accountAddress, setId: set?.setId ?? '' })
    expect(await device.kept()).toEqual([])
  })

  it('keeps a revoked share for all 30 days even if its creation seemed to have ended before', async () => {
    const { device, list, restore, useDaily } = await openSecond()
    await expect(restore('add-device', refusing('/commit', 'ceremony_not_found', 'before'))).rejects.toThrow()
    await useDaily(29)
    const [ended] = await device.kept()
    const pub = Buffer.from(ended?.share.set ?? []).toString('base64url')
    const claims = { set: ended?.setId ?? '', kind: 'device', epoch: 0, status: 'revoked', pub }
    const lie = lyingAbout(wallet => ({ ...wallet, sets: wallet.sets.flatMap(set => [set, forge(set, () => claims)]) }))
    await list(lie)
    await useDaily(29)
    expect(await device.kept()).toMatchObject([{ retired: { reason: 'revoked' } }])
    await useDaily(1)
    expect(await device.kept()).toEqual([])
  })

  it('setting a password for a new share does not change the protected share of a revoked set', async () => {
    const { device, accountAddress, list, restore } = await openAdded()
    await device.send('setPassword', { accountAddress, newPassword: 'first password' })
    await list(revoked('device'))
    await restore('add-device')
    await device.send('setPassword', { accountAddress, newPassword: 'second password' })
    expect(await device.kept()).toHaveLength(2)
    expect(await device.send('verifyPassword', { accountAddress, password: 'second password' })).toBe(true)
  })

  it('a device whose additional set is revoked can restore from the backup again', async () => {
    const { signs, restore } = await openRevoked()
    await restore('add-device')
    await signs()
  })
})

describe('a record of another state', () => {
  it('a record that is older than the local share changes nothing', async () => {
    const { list, signs, refresh, restore } = await openWallet()
    let before: Parameters<Parameters<typeof lyingAbout>[0]>[0] | undefined
    const replay: Intercept = lyingAbout(wallet => {
      before ??= wallet
      return before
    })
    await list(replay)
    await refresh()
    expect(await list(replay)).toMatchObject({ here: false, epoch: 0 })
    await expect(restore('replace-device', replay)).rejects.toMatchObject({ code: 'frame_device_here' })
    await list()
    await signs()
  })

  it('shares with another public package of the same epoch count as missing, and the backup can restore the wallet', async () => {
    const { list, signs, restore, recovers } = await openWallet()
    const lie = listedAs(pub => ({ epoch: 0, pub: otherPackage(pub, 0) }))
    const missing = { here: false, sets: [{ here: false }], backup: { state: 'unverified' } }
    expect(await list(lie)).toMatchObject(missing)
    await expect(restore('replace-device', lie)).rejects.not.toMatchObject({ code: 'frame_device_here' })
    expect(await recovers()).toBe(true)
    await list()
    await expect(restore('replace-device')).rejects.toMatchObject({ code: 'frame_device_here' })
    await signs()
  })

  it('a record that lists the set under another wallet changes nothing', async () => {
    const { device, accountAddress, list, signs } = await openWallet()
    const other = await device.send('createWalletAccount', { thresholdSignatureScheme: 'TWO_OF_TWO' })
    const victim = (await device.kept()).find(set => set.address === accountAddress)
    const claims = { set: victim?.setId ?? '', kind: 'device', status: 'revoked' }
    const lie = lyingAbout(wallet =>
      wallet.walletId === other.wallet.walletId
        ? { ...wallet, sets: [...wallet.sets, ...wallet.sets.map(set => forge(set, () => claims))] }
        : { ...wallet, sets: [...wallet.sets].reverse() },
    )
    await list(lie)
    await list()
    await signs()
  })

  it('keeps a new wallet that the relay omits from its list, however much time passes', async () => {
    const { device, list, useDaily } = await openBrowser()
    const request = { thresholdSignatureScheme: 'TWO_OF_THREE', backup, idempotencyKey: 'one' } as const
    const create = () => device.send('createWalletAccount', request)
    await expect(withLie(device, refusing('/finish', 'internal_error', 'after'), create)).rejects.toThrow()
    device.skewMs = 400 * DAY_MS
    await list(path => (path.endsWith('/list') ? Promise.resolve(Response.json({ wallets: [] })) : undefined))
    await useDaily(100)
    const wallet = await list()
    expect(wallet).toMatchObject({ here: true })
    await useWallet(device, wallet?.accountAddress ?? '').signs()
  })
})
