/** A signing key that the product API withdraws ends the tokens that it signed, also those that a relay has seen. */
import { afterAll, expect, it } from 'vitest'
import { forward, reply, startProxy } from './api-gate.js'
import { ask, only, READ, refusal } from './frame/index.js'
import { startWorld } from './world.js'

let isWithdrawn = false
let target = ''
const gate = await startProxy(async (request, response, body) => {
  if (isWithdrawn && request.url?.endsWith('/jwks.json')) return reply(response, Response.json({ keys: [] }))
  return reply(response, await forward(target + (request.url ?? ''), request, body))
})
const world = await startWorld({ environment: { apiUrl: gate.url } })
target = world.api.api.internalUrl
afterAll(async () => {
  await world.stop()
  gate.stop()
})

it('refuses a token that it accepted before, once the API has withdrawn its key for a minute', async () => {
  const user = await world.user()
  const read = () => ask(only(world.r1), user, '/wallets/list', {}, READ)
  expect((await read()).status).toBe(200)
  isWithdrawn = true
  expect((await read()).status).toBe(200)
  world.advance(60_000)
  expect(await read()).toMatchObject(refusal(401, 'unauthorized'))
  isWithdrawn = false
  world.advance(60_000)
  expect((await read()).status).toBe(200)
})
