/** R2 compares itself with R1 while R1 goes on; the test holds R1's answer and drops the records that R1 delivers. */
import { expect, it } from 'vitest'
import { forward, reply, signal, startProxy } from './api-gate.js'
import { asPeer, changeSet, create, ok, only } from './frame/index.js'
import { newRelayKeys, startWorld, type World } from './world.js'

it('a comparison that is needed while another one runs begins after it, since that one may be too old', async () => {
  const [arrived, released, locked] = [signal(), signal(), signal()]
  let world: World | undefined
  let compared = 0
  let isTold = false
  const toR1 = await startProxy(async (request, response, body) => {
    const answer = await forward(`http://127.0.0.1:${world?.r1.port}${request.url}`, request, body)
    if (request.url?.endsWith('/peer/compare') && ++compared === 1) {
      arrived.resolve()
      await released.promise
    }
    await reply(response, answer)
  })
  const toR2 = await startProxy(async (request, response, body) =>
    request.url?.endsWith('/peer/record')
      ? response.destroy()
      : reply(response, await forward(`http://127.0.0.1:${world?.r2.port}${request.url}`, request, body)),
  )
  const r1Keys = newRelayKeys()
  world = await startWorld({
    r1: { peerUrl: `${toR2.url}/api/v0`, keys: r1Keys.keys },
    r2: {
      peerUrl: `${toR1.url}/api/v0`,
      onQuery: query => {
        if (isTold && query.includes('pg_advisory_xact_lock')) locked.resolve()
      },
    },
  })
  const { r2 } = world
  const r1 = only(world.r1)
  const first = r2.sweep()
  await arrived.promise
  const wallet = await create(r1, await world.user(), { scheme: 'TWO_OF_THREE' })
  const changed = ok(await changeSet(r1, wallet, wallet.setId, 'policy', { policy: null }, true))
  // R2 lacks the first record of the wallet and compares itself, while it waits for an answer from before the wallet.
  isTold = true
  const told = asPeer(r2, r1Keys).tell(changed.wallet.sets[0].record)
  await locked.promise
  // R2's database answers after the transaction that holds the lock.
  await fetch(`http://127.0.0.1:${r2.port}/ready`)
  released.resolve()
  expect((await told).status).toBe(200)
  expect(compared).toBe(2)
  await first
  await world.stop()
  toR1.stop()
  toR2.stop()
}, 120_000)
