/** Exports are reported to the product API: the user gets a mail and finds them in the security log. */
import { randomUUID } from 'node:crypto'
import { signJws } from '@keybay/sandbox-api/testing/client'
import { sealingKeyPair } from '@keybay/waas/mpc'
import { afterAll, afterEach, expect, it } from 'vitest'
import { forward, reply, startProxy } from './api-gate.js'
import { asDevice, ask, b64, create, ok, only, type Wallet } from './frame/index.js'
import { APP, newKey, newRelayKeys, startWorld, type User } from './world.js'

const { keys, recordKey, kid } = newRelayKeys()
let fault: 'away' | 'lost' | undefined
const reports: string[] = []
const gate = await startProxy(async (request, response, body) => {
  const isReport = request.url?.endsWith('/embedded-wallets/exports') === true
  if (isReport) reports.push(JSON.parse(body).report)
  if (isReport && fault === 'away') return request.socket.destroy()
  const answer = await forward(world.api.api.internalUrl + (request.url ?? ''), request, body)
  return isReport && fault === 'lost' ? request.socket.destroy() : reply(response, answer)
})
const world = await startWorld({ r1: { keys }, environment: { apiUrl: gate.url } })
const r1 = only(world.r1)
afterAll(async () => {
  await world.stop()
  gate.stop()
})
afterEach(() => {
  fault = undefined
})

const pair = sealingKeyPair()

function newWallet(user: User) {
  return create(r1, user, { scheme: 'TWO_OF_THREE', exportable: true })
}
async function exportKey(wallet: Wallet) {
  const { walletId, setId, user } = wallet
  const body = { requestId: randomUUID(), setId, sealingKey: b64(pair.publicKey), hostOrigin: APP }
  return ok(
    await ask(r1, user, `/wallets/${walletId}/export`, body, asDevice(wallet, 'exportPrivateKey', { consent: true })),
  )
}
async function getExports({ kit }: User) {
  const { events } = (await kit.call('/users/me/security-log')).body
  return events.filter(({ kind }: { kind: string }) => kind === 'wallet-exported')
}
function tell(report: string) {
  return world.api.kit().call('/embedded-wallets/exports', { body: { report }, token: '', proof: false })
}

it('an export is in the user’s security log and in a mail, without any key', async () => {
  const email = 'exporter@example.com'
  const user = await world.user(email)
  const wallet = await newWallet(user)
  const { shares, sealedSeed } = await exportKey(wallet)
  await world.r1.sweep()
  expect(await getExports(user)).toMatchObject([{ detail: wallet.address, device: null, network: null }])
  const { text } = await world.api.mailAbout('Private key exported – Acme', email)
  expect(text).toContain(`Concerns: ${wallet.address}`)
  for (const secret of [shares[0].box, sealedSeed]) expect(text).not.toContain(secret)
})

it('reports an export as soon as the API is back, and a lost response makes no second event or mail', async () => {
  const user = await world.user('late@example.com')
  const wallet = await newWallet(user)
  fault = 'away'
  await exportKey(wallet)
  await world.r1.sweep()
  expect(await getExports(user)).toEqual([])
  fault = 'lost'
  await world.r1.sweep()
  expect(await getExports(user)).toHaveLength(1)
  const first = await world.api.mailAbout('Private key exported – Acme', 'late@example.com')
  fault = undefined
  await world.r1.sweep()
  expect(await getExports(user)).toHaveLength(1)
  expect((await world.api.mailTo('late@example.com')).id).toBe(first.id)
  const sent = reports.length
  await world.r1.sweep()
  expect(reports).toHaveLength(sent)
})

it('also reports that the device’s share was copied', async () => {
  const user = await world.user()
  const wallet = await newWallet(user)
  const operation = 'exportClientKeyshares'
  const body = { setId: wallet.setId, operation }
  ok(await ask(r1, user, `/wallets/${wallet.walletId}/permit`, body, asDevice(wallet, operation, { consent: true })))
  await world.r1.sweep()
  expect(await getExports(user)).toHaveLength(1)
})

it('the API refuses a report that R1 did not sign, of another environment or of another type', async () => {
  const { userId } = await world.user()
  const facts = { iss: 'R1', env: 'local', sub: userId, wallet: randomUUID(), address: 'address', jti: randomUUID() }
  const refusal = (reason: string) => ({ status: 400, body: { code: 'invalid_wallet_record', details: { reason } } })
  const header = { typ: 'keybay-export+jwt', kid }
  expect(await tell(signJws(header, facts, newKey()))).toMatchObject(refusal('signature'))
  expect(await tell(signJws({ ...header, kid: 'other' }, facts, recordKey))).toMatchObject(refusal('key'))
  expect(await tell(signJws({ ...header, typ: 'keybay-record+jwt' }, facts, recordKey))).toMatchObject(
    refusal('signature'),
  )
  expect(await tell(signJws(header, { ...facts, env: 'other' }, recordKey))).toMatchObject(refusal('environment'))
  expect(await tell(signJws(header, { ...facts, sub: randomUUID() }, recordKey))).toMatchObject(refusal('user'))
  expect(await tell(signJws(header, facts, recordKey))).toMatchObject({ status: 204 })
})
