/** Second factor of a custody wallet, attacked by a script of the page with the owner's session and Turnkey's client. */
import { settings } from '@keybay/sandbox-api/testing/client'
import type { LogLine } from '@keybay/sandbox-service'
import { afterAll, afterEach, expect, it } from 'vitest'
import { makeGuarded, type Waiting } from './guarded.js'
import { apiKey, attest, COMPLETED, CONSENSUS_NEEDED, newTarget, SOLANA, startProductApi, startWorld } from './world.js'

const custodyLogs: LogLine[] = []
const custody = await startWorld({ log: line => custodyLogs.push(line) })
const api = await startProductApi(custody, { local: { ...settings, custody: { enabled: true, secondFactor: true } } })
afterAll(async () => {
  await api.stop()
  await custody.stop()
})

afterEach(() => {
  for (const { clock } of [api.api, custody.custody]) clock.reset()
})

let wallets = 0

function guarded() {
  return makeGuarded(custody, api, `guarded-${++wallets}@example.com`)
}
const untouched = { status: 200, body: { status: CONSENSUS_NEEDED, result: null } }
const SESSION = 'ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION_V2'

it('[S6.3] the approver requires the user’s code to sign and export, but not for a session', async () => {
  const wallet = await guarded()
  const secret = await wallet.enrol()
  const session = await wallet.session()
  const signature = await wallet.sign(session)
  expect(await wallet.approve(signature)).toMatchObject({ status: 403, body: { code: 'mfa_required' } })
  expect(await wallet.approve(signature, secret)).toMatchObject({ status: 200, body: { status: COMPLETED } })
  const approval = api.logs.findLast(({ message }) => message === 'request')
  const asked = custodyLogs.filter(({ parentRequestId }) => parentRequestId === approval?.requestId)
  expect(asked.map(({ route }) => route)).toContain('/public/v1/submit/approve_activity')
  const exported = await wallet.exportWallet()
  expect(await wallet.approve(exported)).toMatchObject({
    status: 403,
    body: { code: 'mfa_required', details: { action: 'wallet.waas.export' } },
  })
  expect(await wallet.approve(exported, secret)).toMatchObject({ status: 200, body: { status: COMPLETED } })
})

it('the approver exports only after a sign-in of the last 5 minutes where no factor is enrolled, and still signs', async () => {
  const wallet = await guarded()
  for (const { clock } of [api.api, custody.custody]) clock.advance(6 * 60_000)
  const exported = await wallet.exportWallet()
  expect(await wallet.approve(exported)).toMatchObject({ status: 403, body: { code: 'reauthentication_required' } })
  expect(await wallet.signed()).toBe(COMPLETED)
  for (const { clock } of [api.api, custody.custody]) clock.advance(-2 * 60_000)
  expect(await wallet.approve(exported)).toMatchObject({ status: 200, body: { status: COMPLETED } })
})

it('the approver refuses a session for its own user, so no script holds both keys of the quorum', async () => {
  const wallet = await guarded()
  const secret = await wallet.enrol()
  const session = await wallet.session()
  // The script reads the wallet's users, then requests a session for the approver.
  const { users } = await session.getUsers({ organizationId: wallet.organizationId })
  const guardId = users.find(({ userName }) => userName === 'Second factor')?.userId ?? ''
  expect(guardId).toBe(wallet.guardId)
  const steal = wallet.request(SESSION, { userId: guardId, targetPublicKey: newTarget(), expirationSeconds: '2592000' })
  await expect(session.createReadWriteSession(steal)).rejects.toMatchObject({ code: 7 })
  const later = { ...steal, timestampMs: `${Number(steal.timestampMs) + 1}` }
  const { activity } = await wallet.owner.createReadWriteSession(later)
  expect(activity.status).toBe(CONSENSUS_NEEDED)
  expect(await wallet.approve(activity)).toMatchObject(untouched)
  expect(await wallet.approve(activity, secret)).toMatchObject(untouched)
  const after = await wallet.owner.getActivity({ organizationId: wallet.organizationId, activityId: activity.id })
  expect(after.activity).toMatchObject({ status: CONSENSUS_NEEDED, result: {} })
  const { users: left } = await wallet.owner.getUsers({ organizationId: wallet.organizationId })
  expect(left.find(({ userId }) => userId === guardId)?.apiKeys).toHaveLength(1)
  expect(api.logs).toContainEqual(
    expect.objectContaining({ message: 'custody activity not approved', refusal: 'guard' }),
  )
})

it('the approver refuses activities that name its own user or would make its consent unnecessary', async () => {
  const wallet = await guarded()
  const { owner, request, guardId, ownerId } = wallet
  const apiKeys = [apiKey()]
  const policy = { policyName: 'Open', effect: 'EFFECT_ALLOW', condition: 'true', consensus: '', notes: '' } as const
  const responses: readonly { readonly activity: Waiting }[] = [
    await owner.createAuthenticators(
      request('ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2', { userId: guardId, authenticators: [attest()] }),
    ),
    await owner.updateUserEmail(
      request('ACTIVITY_TYPE_UPDATE_USER_EMAIL', { userId: guardId, userEmail: 'thief@example.com' }),
    ),
    await owner.createApiKeys(request('ACTIVITY_TYPE_CREATE_API_KEYS_V2', { userId: guardId, apiKeys })),
    await owner.createApiKeys(request('ACTIVITY_TYPE_CREATE_API_KEYS_V2', { userId: ownerId, apiKeys })),
    await owner.updateRootQuorum(request('ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', { threshold: 1, userIds: [ownerId] })),
    await owner.createUsers(
      request('ACTIVITY_TYPE_CREATE_USERS_V4', {
        users: [{ userName: 'Mole', apiKeys, authenticators: [], oauthProviders: [], userTags: [] }],
      }),
    ),
    await owner.createPolicy(request('ACTIVITY_TYPE_CREATE_POLICY_V3', policy)),
    await owner.createReadWriteSession(
      request(SESSION, { targetPublicKey: newTarget(), expirationSeconds: '2592000' }),
    ),
  ]
  for (const { activity } of responses) {
    expect(activity.status).toBe(CONSENSUS_NEEDED)
    expect(await wallet.approve(activity)).toMatchObject(untouched)
  }
  expect(await wallet.signed()).toBe(COMPLETED)
})

it('the approver approves a second passkey, another email address and another account', async () => {
  const wallet = await guarded()
  const { owner, request, ownerId } = wallet
  const session = await wallet.session()
  const responses: readonly { readonly activity: Waiting }[] = [
    await owner.createAuthenticators(
      request('ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2', { userId: ownerId, authenticators: [attest()] }),
    ),
    await owner.updateUserEmail(
      request('ACTIVITY_TYPE_UPDATE_USER_EMAIL', { userId: ownerId, userEmail: 'moved@example.com' }),
    ),
    await session.createWalletAccounts(
      request('ACTIVITY_TYPE_CREATE_WALLET_ACCOUNTS', {
        walletId: wallet.walletId,
        accounts: [{ ...SOLANA, path: "m/44'/501'/7'/0'" }],
      }),
    ),
  ]
  for (const { activity } of responses)
    expect(await wallet.approve(activity)).toMatchObject({ body: { status: COMPLETED } })
})

it('the approver reports another user’s activity as not found', async () => {
  const wallet = await guarded()
  const stranger = await guarded()
  const activity = await stranger.sign()
  expect(await wallet.approve(activity)).toMatchObject({ status: 404, body: { code: 'not_found' } })
})
