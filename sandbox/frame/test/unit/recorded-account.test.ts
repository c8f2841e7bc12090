/** The account of a wallet's backups in R1's record: a hash that only the holder of the current backup can compare. */
import * as mpc from '@keybay/waas/mpc'
import { expect, it } from 'vitest'
import {
  deriveSealingKey,
  hashAccount,
  newAccountKey,
  openAccountKey,
  sealAccountKey,
} from '../../src/page/backup/recorded-account.js'
import { dealShares, getPlan, getShare } from './shares.js'

it('hashes of another wallet, provider, account or key differ, so that no relay can test a guessed address', async () => {
  const key = newAccountKey()
  const account = { walletId: 'wallet', provider: 'googleDrive', id: 'ann' } as const
  const hashes = await Promise.all([
    hashAccount(key, account),
    hashAccount(key, { ...account, walletId: 'other' }),
    hashAccount(key, { ...account, provider: 'icloud' }),
    hashAccount(key, { ...account, id: 'bob' }),
    hashAccount(newAccountKey(), account),
  ])
  expect(new Set(hashes).size).toBe(5)
  expect(await hashAccount(key, account)).toBe(hashes[0])
})

it('the key opens with the backup’s share of the same epoch, and with no share of a relay or another epoch', async () => {
  const shares = dealShares(getPlan({ ...mpc.SCHEMES.TWO_OF_THREE }))
  const backup = getShare(shares, 'B1')
  const key = newAccountKey()
  const sealed = await sealAccountKey(await deriveSealingKey(backup), key)
  expect(sealed).toHaveLength(80)
  const open = async (share: mpc.KeyShare) => openAccountKey(await deriveSealingKey(share), sealed)
  expect(await open(backup)).toEqual(key)
  expect(await open(getShare(shares, 'R1'))).toBeUndefined()
  expect(await open({ ...backup, set: { ...backup.set, epoch: 1 } })).toBeUndefined()
})
