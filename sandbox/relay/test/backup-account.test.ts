/** The account of a wallet's backups stays in each record of the wallet, and changes only with the user's consent. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  asPeer,
  changeSet,
  create,
  jws,
  nameBackupAccount,
  ok,
  only,
  refusal,
  reshare,
  sha256,
  type Wallet,
} from './frame/index.js'
import { newRelayKeys, startWorld, type World } from './world.js'

const relayKeys = newRelayKeys()
const { keys, recordKey, kid } = relayKeys
function claimsOf(record: string) {
  return JSON.parse(Buffer.from(record.split('.')[1] ?? '', 'base64url').toString())
}
const [first, other] = ['first', 'other'].map(name => ({ account: sha256(name), key: 'A'.repeat(80) }))

let world: World
let wallet: Wallet
beforeAll(async () => {
  world = await startWorld({ r1: { keys } })
  wallet = await create(only(world.r1), await world.user(), { scheme: 'TWO_OF_THREE' })
}, 120_000)
afterAll(() => world.stop())

it('names another account for the backups only with the user’s consent, and keeps it in each later record', async () => {
  const r1 = only(world.r1)
  const named = ok(await nameBackupAccount(r1, wallet, first))
  expect(named.wallet.sets.map(({ record }: Wallet) => claimsOf(record).backup)).toEqual([first])
  expect(await nameBackupAccount(r1, wallet, other)).toMatchObject(refusal(403, 'consent_required'))
  ok(await nameBackupAccount(r1, wallet, other, { consent: true }))
  const limited = { messages: true, programs: [] }
  const { sets } = ok(await changeSet(r1, wallet, wallet.setId, 'policy', { policy: limited }, true)).wallet
  expect(claimsOf(sets[0].record).backup).toEqual(other)
  const replaced = await reshare(r1, { ...wallet, policy: limited }, { purpose: 'replaceDevice', by: 'B1' })
  wallet = replaced.after(wallet, await replaced.commit())
  expect(claimsOf(wallet.record)).toMatchObject({ epoch: 1, backup: other })
  const joined = await reshare(r1, { ...wallet, policy: limited }, { purpose: 'addDevice', by: 'B1' })
  const device = joined.after(wallet, await joined.commit())
  expect(claimsOf(device.record)).toMatchObject({ kind: 'device', backup: other })
  expect(await nameBackupAccount(r1, device, first, { consent: true })).toMatchObject(refusal(403, 'not_enabled'))
}, 60_000)

it('R2 refuses a record in which R1 takes the account away', async () => {
  const fresh = await create(only(world.r1), await world.user(), { scheme: 'TWO_OF_THREE' })
  const { record } = ok(await nameBackupAccount(only(world.r1), fresh, first)).wallet.sets[0]
  const next = { ...claimsOf(record), gen: 2, prev: sha256(record), backup: undefined }
  const { tell } = asPeer(world.r2, relayKeys)
  const sign = (claims: object) => jws(recordKey, 'keybay-record+jwt', claims, { kid })
  expect(await tell(sign(next))).toMatchObject({
    ...refusal(400, 'invalid_request'),
    body: { details: { reason: 'backup' } },
  })
  expect(await tell(sign({ ...next, backup: other }))).toMatchObject({ status: 200 })
}, 60_000)
