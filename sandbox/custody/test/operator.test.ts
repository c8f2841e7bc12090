/** The operator blocks a user's custody wallet, exports what is known about it, and erases it late. */
import { settings } from '@keybay/sandbox-api/testing/client'
import { newAuthenticator } from '@keybay/sandbox-tools/testing/software-authenticator'
import { generateP256KeyPair } from '@turnkey/crypto'
import type { TurnkeyClient } from '@turnkey/http'
import { afterAll, afterEach, expect, it } from 'vitest'
import { attest, COMPLETED, newTarget, RP_ID, raw, SIGN, startProductApi, startWorld } from './world.js'

const DAY = 86_400_000
const custody = await startWorld()
const api = await startProductApi(custody, { local: { ...settings, custody: { enabled: true } } })
afterAll(async () => {
  await api.stop()
  await custody.stop()
})

async function newWallet(email: string) {
  const kit = api.kit()
  const userId: string = (await kit.signInByEmail(email)).body.user.id
  const authenticator = newAuthenticator(RP_ID)
  const { challenge, attestation } = attest(authenticator)
  const { organizationId, wallets } = (await kit.call('/custody', { body: { challenge, attestation } })).body
  const client = custody.clientBy(authenticator)
  const sign = async (payload = 'aa') =>
    (await client.signRawPayload(custody.request(organizationId, SIGN, raw(wallets[0].address, payload)))).activity
      .status
  return { kit, userId, organizationId, authenticator, client, sign }
}
function operate(action: 'block' | 'unblock' | 'export' | 'erase', userId: string) {
  return api.kit().call(`/users/${userId}/${action}`, { method: 'POST', token: api.api.operatorToken, proof: false })
}
function tell(body: object, { client }: { client: TurnkeyClient } = { client: custody.operator }) {
  return client.request('/operator/organizations', body)
}
function message(subOrganizationId: string, action: string, timestampMs = custody.now()) {
  return { organizationId: custody.custody.organizationId, subOrganizationId, action, timestampMs }
}
function refused(turnkeyErrorCode: string) {
  return { details: [expect.objectContaining({ turnkeyErrorCode })] }
}
afterEach(() => {
  custody.custody.clock.reset()
  api.api.clock.reset()
})

it('a block stops the passkey and every session key of the wallet, and unblocking lets them sign again', async () => {
  const { userId, client, organizationId, sign } = await newWallet('op-block@example.com')
  const key = generateP256KeyPair()
  const { user } = await custody.operator.getUsers({ organizationId }).then(({ users }) => ({ user: users[0] }))
  const apiKeys = [{ apiKeyName: 'session', publicKey: key.publicKey, curveType: 'API_KEY_CURVE_P256' as const }]
  const request = custody.request(organizationId, 'ACTIVITY_TYPE_CREATE_API_KEYS_V2' as const, {
    userId: user?.userId ?? '',
    apiKeys,
  })
  await client.createApiKeys(request)
  expect(await sign()).toBe(COMPLETED)
  expect((await operate('block', userId)).body).toMatchObject({ pending: [] })
  await expect(sign('bb')).rejects.toMatchObject(refused('ORGANIZATION_BLOCKED'))
  await expect(custody.clientOf(key).getWallets({ organizationId })).rejects.toMatchObject(
    refused('ORGANIZATION_BLOCKED'),
  )
  const recovery = {
    email: 'op-block@example.com',
    targetPublicKey: newTarget(),
    emailCustomization: { appName: 'Keybay' },
  }
  await expect(
    custody.operator.initUserEmailRecovery(
      custody.request(organizationId, 'ACTIVITY_TYPE_INIT_USER_EMAIL_RECOVERY_V2' as const, recovery),
    ),
  ).rejects.toMatchObject(refused('ORGANIZATION_BLOCKED'))
  expect((await operate('unblock', userId)).body).toMatchObject({ blockedAt: null, pending: [] })
  expect(await sign('cc')).toBe(COMPLETED)
})

it('only the operator’s key is heard, for its own sub-organizations, and just now', async () => {
  const { organizationId, client, sign } = await newWallet('op-who@example.com')
  await expect(tell(message(organizationId, 'block'), { client })).rejects.toBeDefined()
  await expect(tell({ ...message(organizationId, 'block'), organizationId }, { client })).rejects.toMatchObject(
    refused('PERMISSION_DENIED'),
  )
  const own = custody.custody.organizationId
  await expect(tell(message(own, 'block'))).rejects.toMatchObject(refused('RESOURCE_NOT_FOUND'))
  const late = String(Number(custody.now()) - 120_000)
  await expect(tell(message(organizationId, 'block', late))).rejects.toMatchObject(refused('TIMESTAMP_OUT_OF_RANGE'))
  expect(await sign()).toBe(COMPLETED)
})

it('each operator message works once: a copy cannot block a user again, also not among ten at once', async () => {
  const { organizationId, sign } = await newWallet('op-replay@example.com')
  const signed = async (action: string) => {
    const body = JSON.stringify(message(organizationId, action))
    const { stampHeaderName, stampHeaderValue } = await custody.operator.stamper.stamp(body)
    const headers = { 'content-type': 'application/json', [stampHeaderName]: stampHeaderValue }
    return async () => {
      const sent = await fetch(`${custody.custody.internalUrl}/operator/organizations`, {
        method: 'POST',
        headers,
        body,
      })
      return { status: sent.status, body: await sent.json() }
    }
  }
  const block = await signed('block')
  expect((await block()).status).toBe(200)
  expect((await tell(message(organizationId, 'unblock'))) ?? {}).toEqual({ blockedAt: null })
  custody.custody.clock.advance(59_000)
  expect(await block()).toMatchObject({ status: 400, body: { turnkeyErrorCode: 'FAILED_PRECONDITION' } })
  expect(await sign('ab')).toBe(COMPLETED)
  const copies = await signed('export')
  const answers = await Promise.all(Array.from({ length: 10 }, copies))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(400)])
})

it('the document about a user has custody’s part, without sealed keys', async () => {
  const { userId, organizationId, sign } = await newWallet('op-export@example.com')
  await newWallet('op-other@example.com')
  await sign()
  const { status, body } = await operate('export', userId)
  expect(status).toBe(200)
  expect(body.custody.organization).toMatchObject({ id: organizationId })
  expect(body.custody.wallets).toHaveLength(1)
  expect(body.custody.activities.length).toBeGreaterThanOrEqual(1)
  expect(JSON.stringify(body)).not.toMatch(/sealed|op-other/i)
})

it('erases an unused wallet 14 days after the API removed the user, and the audit log stays', async () => {
  const { userId, organizationId, client, sign } = await newWallet('op-erase@example.com')
  expect(await sign()).toBe(COMPLETED)
  await operate('erase', userId)
  api.api.clock.advance(31 * DAY)
  custody.custody.clock.advance(31 * DAY)
  await api.api.sweep()
  custody.custody.clock.advance(13 * DAY)
  await custody.custody.sweep()
  const users = async () => (await custody.operator.getUsers({ organizationId })).users
  expect(await users()).toHaveLength(1)
  custody.custody.clock.advance(2 * DAY)
  await Promise.all([custody.custody.sweep(), custody.custody.sweep()])
  expect(await users()).toEqual([])
  const { activities } = await custody.operator.getActivities({ organizationId: custody.custody.organizationId })
  expect(activities.length).toBeGreaterThan(0)
  expect(JSON.stringify(activities)).not.toContain('op-erase@example.com')
  await expect(sign('dd')).rejects.toMatchObject(refused('PUBLIC_KEY_NOT_FOUND'))
  await expect(client.getWallets({ organizationId })).rejects.toMatchObject(refused('PUBLIC_KEY_NOT_FOUND'))
  const { audit } = Object(await tell(message(organizationId, 'export')))
  expect(audit.length).toBeGreaterThanOrEqual(1)
  expect(await tell(message(organizationId, 'erase'))).toMatchObject({ erasesAt: null })
})

it('a thief of the operator’s key cannot erase a wallet that its owner uses before the date', async () => {
  const { organizationId, sign } = await newWallet('op-used@example.com')
  await tell(message(organizationId, 'erase'))
  custody.custody.clock.advance(DAY)
  expect(await sign('ee')).toBe(COMPLETED)
  custody.custody.clock.advance(20 * DAY)
  await custody.custody.sweep()
  custody.custody.clock.advance(20 * DAY)
  await custody.custody.sweep()
  expect(await sign('ff')).toBe(COMPLETED)
})

it('a thief of the operator’s key erases at most 50 wallets a day, and their owners can still stop the others', async () => {
  const users: string[] = []
  for (let index = 0; index < 53; index++) {
    const { organizationId } = await newWallet(`op-flood-${index}@example.com`)
    users.push(organizationId)
    await tell(message(organizationId, 'erase'))
  }
  const last = await newWallet('op-flood-last@example.com')
  await tell(message(last.organizationId, 'erase'))
  const getErased = async () => {
    const states = await Promise.all(
      users.map(async organizationId => (await custody.operator.getUsers({ organizationId })).users.length === 0),
    )
    return states.filter(Boolean).length
  }
  custody.custody.clock.advance(100 * DAY)
  for (let round = 0; round < 2; round++) await Promise.all([custody.custody.sweep(), custody.custody.sweep()])
  expect(await getErased()).toBe(50)
  expect(await last.sign('ab')).toBe(COMPLETED)
  custody.custody.clock.advance(DAY + 1)
  await custody.custody.sweep()
  expect(await getErased()).toBe(53)
  expect(await last.sign('cd')).toBe(COMPLETED)
})
