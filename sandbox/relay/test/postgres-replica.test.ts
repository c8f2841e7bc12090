/** A public R1 on a real PostgreSQL, with and without a standby that commits wait for. */
import { type Postgres, startPostgres } from '@keybay/sandbox-service/testing/postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  b64,
  create,
  importKey,
  list,
  newSeed,
  ok,
  only,
  refusal,
  reshare,
  sign,
  type Target,
  text,
} from './frame/index.js'
import { newRelayKeys, startWorld, type World } from './world.js'

const REFUSED = /403 .*replica_required.*synchronous_standby_names/

describe('a public R1', () => {
  let database: Postgres
  let world: World
  let r1: Target
  beforeAll(async () => {
    database = await startPostgres({ fsync: 'on' })
    const publicUrl = 'https://relay.acme.example/api/v0'
    const { keys } = newRelayKeys()
    world = await startWorld({
      r1: { mode: 'production', publicUrl, databaseUrl: database.url, keys, kek: b64(newSeed()) },
    })
    r1 = only(world.r1)
  }, 120_000)
  afterAll(async () => {
    await world?.stop()
    database?.stop()
  })

  it('refuses TWO_OF_TWO without a synchronous replica, and tells its operator at the start', async () => {
    const user = await world.user()
    for (const exportable of [true, false]) await expect(create(r1, user, { exportable })).rejects.toThrow(REFUSED)
    const imported = await importKey(r1, user, newSeed())
    expect(imported.answer).toMatchObject(refusal(403, 'replica_required'))
    const wallet = await create(r1, user, { scheme: 'TWO_OF_THREE' })
    const { begun } = await reshare(r1, wallet, { purpose: 'reshare', scheme: 'TWO_OF_TWO' })
    expect(begun).toMatchObject(refusal(403, 'replica_required'))
    expect(await list(r1, user)).toMatchObject([{ walletId: wallet.walletId, scheme: 'TWO_OF_THREE' }])
    expect(world.logs).toContainEqual(
      expect.objectContaining({ level: 'warn', message: expect.stringMatching(/TWO_OF_TWO/) }),
    )
  })

  it('makes TWO_OF_TWO wallets while commits wait for a standby, and signs for them later too', async () => {
    const user = await world.user()
    await database.replicate()
    database.setSynchronous(true)
    const wallet = await create(r1, user)
    ok((await importKey(r1, user, newSeed())).answer)
    database.setSynchronous(false)
    await expect(create(r1, user)).rejects.toThrow(REFUSED)
    ok(await sign(r1, wallet, text('still')))
    const refresh = await reshare(r1, wallet)
    ok(await refresh.commit())
  })
}, 120_000)
