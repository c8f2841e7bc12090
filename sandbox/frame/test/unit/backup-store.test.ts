/** Tests which copies of a backup a provider keeps when two browsers make new ones. */
import * as mpc from '@keybay/waas/mpc'
import { expect, it } from 'vitest'
import { cloudStore } from '../../src/page/backup/drives/index.js'
import type { CloudDrive } from '../../src/page/backup/store.js'
import { frameError } from '../../src/page/errors/errors.js'
import { dealShares, getPlan, getShare } from './shares.js'

/** A drive in memory, newest copy first. */
function createDrive() {
  const copies = new Map<string, Uint8Array>()
  const drive: CloudDrive = {
    provider: 'googleDrive',
    upload: async (_, envelope) => void copies.set(`copy ${copies.size}`, envelope),
    list: async () => [...copies.keys()].reverse().map(id => ({ id })),
    download: async ({ id }) => copies.get(id) ?? new Uint8Array(),
    remove: async ({ id }) => void copies.delete(id),
  }
  return { copies, drive }
}

const passkey = { rpId: 'frame.example', credentialId: 'AAAA', input: new Uint8Array(32), output: new Uint8Array(32) }

function deal(): mpc.KeyShare {
  return getShare(dealShares(getPlan({ ...mpc.SCHEMES.TWO_OF_THREE })), 'B1')
}
function seal(share: mpc.KeyShare, epoch: number): Promise<Uint8Array> {
  return mpc.sealBackup({ shares: [{ ...share, set: { ...share.set, epoch } }], password: passkey })
}

it('a browser that ends late erases only what its backup replaces: older, unreadable and other copies of its shares', async () => {
  const { copies, drive } = createDrive()
  const store = cloudStore(drive)
  const [ours, theirs] = [deal(), deal()]
  for (const [share, epoch] of [
    [ours, 0],
    [ours, 1],
    [ours, 1],
    [theirs, 1],
    [theirs, 2],
  ] as const)
    await store.put(await seal(share, epoch))
  copies.set('cut', new Uint8Array(9))
  const set = mpc.encode(mpc.codecs.shareSet, { ...ours.set, epoch: 1 })
  await store.keepOnly({ walletId: 'wallet-1', epoch: 1, id: 'copy 2', set })
  // R1 alone says which shares of epoch 1 are active, so those of the other browser keep their backup.
  expect([...copies.keys()]).toEqual(['copy 2', 'copy 3', 'copy 4'])
})

it('reads an erased copy if no other one passes, and gets it back', async () => {
  const { copies, drive } = createDrive()
  const restored: string[] = []
  const share = deal()
  const [old, erased] = [await seal(share, 0), await seal(share, 1)]
  const store = cloudStore({
    ...drive,
    download: async ({ id }) => (id === 'erased' ? erased : (copies.get(id) ?? new Uint8Array())),
    erased: { list: async () => [{ id: 'erased', epoch: 1 }], restore: async ({ id }) => void restored.push(id) },
  })
  const wanted = { walletId: 'wallet-1', epoch: 1, set: mpc.encode(mpc.codecs.shareSet, { ...share.set, epoch: 1 }) }
  const check = async (copy: Uint8Array) => {
    if (mpc.readBackupHeader(copy).set.epoch !== 1) throw frameError('frame_backup_old')
    return copy
  }
  await store.put(old)
  expect(await store.read(wanted, check)).toEqual({ id: 'erased', value: erased })
  expect(restored).toEqual(['erased'])
  await store.put(erased)
  expect(await store.read(wanted, check)).toMatchObject({ id: 'copy 1' })
  expect(restored).toEqual(['erased'])
  const never = { ...wanted, epoch: 2 }
  const refuse = async () => Promise.reject(frameError('frame_backup_wrong'))
  await expect(store.read(never, refuse)).rejects.toMatchObject({ code: 'frame_backup_wrong' })
  expect(restored).toEqual(['erased'])
})
