/** Each of the eight wallet operations tells what it still needs here, on the real frame and relays (S3.1). */
import { readFileSync } from 'node:fs'
import { WALLET_OPERATIONS } from '@keybay/kernel/spec'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Device } from './device.js'
import { getWorld, openBrowser, openSecond, openWallet, setUpRelays } from './wallet.js'

setUpRelays()

type Situation = (typeof SITUATIONS)[number]
const SITUATIONS = ['here', 'no backup share', 'further device', 'elsewhere', 'password', 'factor', 'policy'] as const
/** Needs of each operation per situation, in the order of `SITUATIONS`. */
const TABLE: { readonly [Operation in (typeof WALLET_OPERATIONS)[number]]: readonly string[] } = {
  REACH_THRESHOLD: ['', '', '', 'backup', 'password', '', ''],
  REACH_ALL_PARTIES: ['backup', '', 'backup', 'backup', 'password', '', ''],
  SIGN_MESSAGE: ['', '', '', 'backup', 'password', 'mfa', 'policy'],
  SIGN_TRANSACTION: ['', '', '', 'backup', 'password', 'mfa', ''],
  REFRESH: ['', '', 'backup', 'backup', 'password', 'mfa', ''],
  RESHARE: ['', '', 'backup', 'backup', 'password', 'mfa', ''],
  EXPORT_PRIVATE_KEY: ['', '', '', 'backup', 'password', 'mfa', ''],
  NO_OPERATION: ['', '', '', '', '', '', ''],
}
const places = new Map<Situation, { readonly device: Device; readonly accountAddress: string }>()

function getPlace(situation: Situation) {
  const place = places.get(situation)
  if (!place) throw new Error(`There is no user for the situation “${situation}”.`)
  return place
}

beforeAll(async () => {
  const first = await openWallet()
  places.set('here', first)
  const elsewhere = await openBrowser(first.user)
  places.set('elsewhere', { device: elsewhere.device, accountAddress: first.accountAddress })
  places.set('no backup share', await openWallet('TWO_OF_TWO'))

  const further = await openSecond()
  await further.restore('add-device')
  places.set('further device', further)

  const guarded = await openWallet('TWO_OF_TWO')
  await guarded.device.send('setPassword', { accountAddress: guarded.accountAddress, newPassword: 'a long password' })
  places.set('password', guarded)

  const limited = await openWallet('TWO_OF_TWO')
  const setId = (await limited.list())?.setId ?? ''
  const policy = { programs: [], messages: false }
  await limited.device.send('setPolicy', { accountAddress: limited.accountAddress, setId, policy })
  places.set('policy', limited)

  // Before the first request, because the relay caches whether the user has a factor.
  const user = await getWorld().user()
  await user.kit.enrolTotp()
  const { device } = await openBrowser(user)
  const { wallet } = await device.send('createWalletAccount', { thresholdSignatureScheme: 'TWO_OF_TWO' })
  places.set('factor', { device, accountAddress: wallet.accountAddress })
}, 300_000)

describe.each(WALLET_OPERATIONS)('[S3.1] %s', walletOperation => {
  it.each(SITUATIONS.map((situation, index) => [situation, TABLE[walletOperation][index]] as const))(
    `${walletOperation} (%s) needs “%s”, and getWallet and requiresPasswordForOperation agree`,
    async (situation, expected = '') => {
      const { device, accountAddress } = getPlace(situation)
      const { needs, ready } = await device.send('getWallet', { accountAddress, walletOperation }, false)
      expect(needs.join()).toBe(expected)
      expect(ready).toBe(expected === '')
      const isRequired = await device.send('requiresPasswordForOperation', { accountAddress, walletOperation }, false)
      expect(isRequired).toBe(expected === 'password')
    },
  )
})

it('[S3.1] an operation that needs nothing here works: a further device signs, and cannot refresh', async () => {
  const { device, accountAddress } = getPlace('further device')
  const message = 'hello'
  expect((await device.send('signMessage', { accountAddress, message })).signature).toHaveLength(64)
  const refreshing = device.send('refreshWalletAccountShares', { accountAddress })
  await expect(refreshing).rejects.toMatchObject({ code: 'frame_share_elsewhere' })
})

it('[S3.1] a password and an MFA token that the page gave are not needed again', async () => {
  const { device, accountAddress } = getPlace('password')
  const walletOperation = 'SIGN_MESSAGE'
  const given = { accountAddress, walletOperation, password: 'a long password' } as const
  expect(await device.send('getWallet', given, false)).toMatchObject({ ready: true, needs: [] })
  const proven = getPlace('factor')
  const proof = { accountAddress: proven.accountAddress, walletOperation, mfaToken: 'a-token' } as const
  expect(await proven.device.send('getWallet', proof, false)).toMatchObject({ ready: true, needs: [] })
})

it('the README of @keybay/waas has the table of the eight operations', () => {
  const readme = readFileSync(new URL('../../../../plugins/waas/README.md', import.meta.url), 'utf8')
  const table = /^### What an operation needs$(.*?)^### /ms.exec(readme)?.[1] ?? ''
  const rows = [...table.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name]) => name)
  expect(rows).toEqual([...WALLET_OPERATIONS])
})
