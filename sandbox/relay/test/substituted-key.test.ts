/** R1 puts a device key of its own in place of the user's, for a wallet whose primary set R2 does not have. */
import { afterAll, expect, it } from 'vitest'
import { forward, reply, startProxy } from './api-gate.js'
import {
  asPeer,
  changeSet,
  create,
  delegateTo,
  jws,
  newDelegate,
  ok,
  only,
  refusal,
  reshare,
  sha256,
  thumbprint,
  toJwk,
  type Wallet,
} from './frame/index.js'
import { newKey, newRelayKeys, startWorld } from './world.js'

const r1Keys = newRelayKeys()
const { recordKey, kid } = r1Keys
const attacker = newKey()
const server = newDelegate()
let isLying = false

function readClaims(text: string) {
  return JSON.parse(Buffer.from(text.split('.')[1] ?? '', 'base64url').toString())
}

function substitute(record: string): string {
  return jws(recordKey, 'keybay-record+jwt', { ...readClaims(record), device: thumbprint(attacker) }, { kid })
}

/** Changes what R1 forwards: its record names the attacker's key, which signs the user's request again. */
function lie(body: string): string {
  const { headers, extra, ...said } = JSON.parse(body)
  const device = jws(attacker, 'keybay-device+jwt', readClaims(headers['x-keybay-device']))
  const forged = { ...extra, record: substitute(extra.record), deviceKey: toJwk(attacker) }
  return JSON.stringify({ ...said, headers: { ...headers, 'x-keybay-device': device }, extra: forged })
}

const line = await startProxy(async (request, response, body) => {
  const isForwarded = isLying && request.url?.endsWith('/peer')
  const sent = isForwarded ? lie(body) : body
  const claims = { aud: 'R2', bh: sha256(sent), iat: Math.floor(world.r2.clock.now() / 1000) }
  if (isForwarded) request.headers['x-keybay-peer'] = jws(recordKey, 'keybay-peer+jwt', claims, { kid })
  await reply(response, await forward(`http://127.0.0.1:${world.r2.port}${request.url}`, request, sent))
})
const world = await startWorld({
  r1: { keys: r1Keys.keys, peerUrl: `${line.url}/api/v0` },
  environment: { delegates: [server.listed] },
})
const r1 = only(world.r1)
afterAll(async () => {
  await world.stop()
  line.stop()
})

async function whileLying<T>(act: () => Promise<T>): Promise<T> {
  isLying = true
  return act().finally(() => {
    isLying = false
  })
}

it('R2 joins a wallet only by the device key that the dealer of C has proved', async () => {
  const wallet = await create(r1, await world.user(), { scheme: 'TWO_OF_THREE' })
  const { begun } = await whileLying(() => reshare(r1, wallet, { purpose: 'reshare', scheme: 'THREE_OF_FIVE' }))
  expect(begun).toMatchObject(refusal(400, 'bad_share'))
  const delegation = await whileLying(() =>
    delegateTo(r1, wallet, server, { policy: { programs: [], messages: true } }),
  )
  expect(delegation.begun).toMatchObject(refusal(400, 'bad_share'))
  const honest = await reshare(r1, wallet, { purpose: 'reshare', scheme: 'THREE_OF_FIVE' })
  ok(await honest.commit())
})

it('R2 loosens a delegate’s policy only for the device that delegated', async () => {
  const wallet = await create(r1, await world.user(), { scheme: 'TWO_OF_THREE' })
  const { accept, setId } = await delegateTo(r1, wallet, server, { policy: { programs: [], messages: false } })
  ok((await accept()).answer)
  const policy = { programs: [], messages: true }
  const forged: Wallet = { ...wallet, device: attacker, record: substitute(wallet.record) }
  const extra = { record: forged.record, deviceKey: toJwk(attacker), policy: null }
  const ask = asPeer(world.r2, r1Keys).forward({ extra })
  expect(await changeSet(r1, forged, setId, 'policy', { policy }, true, ask)).toMatchObject(refusal(403, 'not_enabled'))
  ok(await changeSet(r1, wallet, setId, 'policy', { policy }, true))
})
