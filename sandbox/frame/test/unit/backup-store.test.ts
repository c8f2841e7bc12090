/** Tests which copies of a backup a provider keeps when two browsers make new ones. */
import * as mpc from '@keybay/waas/mpc'
import { expect, it } from 'vitest'
import { cloudStore } from '../../src/page/backup/drives/index.js'
import type { CloudDrive } from '../../src/page/backup/store.js'
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

function seal(epoch: number): Promise<Uint8Array> {
  const plan = getPlan({ ...mpc.SCHEMES.TWO_OF_THREE })
  const share = getShare(dealShares(plan), 'B1')
  const later = { ...share, set: { ...share.set, epoch } }
  return mpc.sealBackup({ shares: [later], password: passkey })
}

it('a browser that ends late keeps the newer backup of another browser, and erases older and unreadable ones', async () => {
  const { copies, drive } = createDrive()
  const store = cloudStore(drive)
  for (const epoch of [0, 1, 1, 2]) await store.put(await seal(epoch))
  copies.set('cut', new Uint8Array(9))
  await store.keepOnly({ walletId: 'wallet-1', epoch: 1 }, 'copy 1')
  expect([...copies.keys()]).toEqual(['copy 1', 'copy 3'])
})
