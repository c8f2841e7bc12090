/**
 * Second factor of a custody wallet, attacked by a script of the page with the owner's session and Turnkey's client.
 */

import { type World as ApiWorld, settings, startWorld as startApiWorld } from '@keybay/sandbox-api/testing/client'
import { newAuthenticator } from '@keybay/sandbox-tools/testing/software-authenticator'
import { generateP256KeyPair } from '@turnkey/crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeGuarded, target, type Waiting } from './guarded.js'
import { attest, RP_ID, startWorld, type World } from './world.js'

let custody: World
let api: ApiWorld
beforeAll(async () => {
  custody = await startWorld()
  const { organizationId, operatorKey, internalUrl } = custody.custody
  if (!operatorKey) throw new Error('The test needs the operator’s key')
  api = await startApiWorld({
    custody: { baseUrl: internalUrl, operator: () => ({ organizationId, ...operatorKey }) },
    environments: { local: { ...settings, custody: { enabled: true, secondFactor: true } } },
  })
}, 120_000)
afterAll(async () => {
  await api?.stop()
  await custody.stop()
})

let people = 0

function guarded() {
  return makeGuarded(custody, api, `guarded-${++people}@example.com`)
}
const COMPLETED = 'ACTIVITY_STATUS_COMPLETED'
const untouched = { status: 200, body: { status: 'ACTIVITY_STATUS_CONSENSUS_NEEDED', result: null } }

it('[S6.3] the approver requires the user’s code to sign and export, but not for a session', async () => {
  const wallet = await guarded()
  const secret = await wallet.enrol()
  const session = await wallet.session()
  const signature = await wallet.sign(session)
  expect(await wallet.approve(signature)).toMatchObject({ status: 403, body: { code: 'mfa_required' } })
  expect(await wallet.approve(signature, secret)).toMatchObject({ status: 200, body: { status: COMPLETED } })
  const exported = await wallet.exportWallet()
  expect(await wallet.approve(exported)).toMatchObject({
    status: 403,
    body: { code: 'mfa_required', details: { action: 'wallet.waas.export' } },
  })
  expect(await wallet.approve(exported, secret)).toMatchObject({ status: 200, body: { status: COMPLETED } })
})

it('the approver refuses a session for its own user, so no script holds both keys of the quorum', async () => {
  const wallet = await guarded()
  const secret = await wallet.enrol()
  const session = await wallet.session()
  // The script reads the wallet's users, then requests a session for the approver.
  const { users } = await session.getUsers({ organizationId: wallet.organizationId })
  const guardId = users.find(({ userName }) => userName === 'Second factor')?.userId ?? ''
  expect(guardId).toBe(wallet.guardId)
  const steal = wallet.envelope('ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION_V2', {
    userId: guardId,
    targetPublicKey: target(),
    expirationSeconds: '2592000',
  })
  await expect(session.createReadWriteSession(steal)).rejects.toMatchObject({ code: 7 })
  const { activity } = await wallet.owner.createReadWriteSession({
    ...steal,
    timestampMs: `${Number(steal.timestampMs) + 1}`,
  })
  expect(activity.status).toBe('ACTIVITY_STATUS_CONSENSUS_NEEDED')
  expect(await wallet.approve(activity)).toMatchObject(untouched)
  expect(await wallet.approve(activity, secret)).toMatchObject(untouched)
  const after = await wallet.owner.getActivity({ organizationId: wallet.organizationId, activityId: activity.id })
  expect(after.activity).toMatchObject({ status: 'ACTIVITY_STATUS_CONSENSUS_NEEDED', result: {} })
  const { users: left } = await wallet.owner.getUsers({ organizationId: wallet.organizationId })
  expect(left.find(({ userId }) => userId === guardId)?.apiKeys).toHaveLength(1)
  expect(api.logs).toContainEqual(
    expect.objectContaining({ message: 'custody activity not approved', refusal: 'guard' }),
  )
})

it('the approver refuses activities that name its own user or would make its consent unnecessary', async () => {
  const wallet = await guarded()
  const { owner, envelope, guardId, ownerId } = wallet
  const { publicKey } = generateP256KeyPair()
  const apiKeys = [{ apiKeyName: 'Key', publicKey, curveType: 'API_KEY_CURVE_P256' as const }]
  const passkey = () => attest(newAuthenticator(RP_ID))
  const asked: readonly { readonly activity: Waiting }[] = [
    await owner.createAuthenticators(
      envelope('ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2', { userId: guardId, authenticators: [passkey()] }),
    ),
    await owner.updateUserEmail(
      envelope('ACTIVITY_TYPE_UPDATE_USER_EMAIL', { userId: guardId, userEmail: 'thief@example.com' }),
    ),
    await owner.createApiKeys(envelope('ACTIVITY_TYPE_CREATE_API_KEYS_V2', { userId: guardId, apiKeys })),
    await owner.createApiKeys(envelope('ACTIVITY_TYPE_CREATE_API_KEYS_V2', { userId: ownerId, apiKeys })),
    await owner.updateRootQuorum(envelope('ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', { threshold: 1, userIds: [ownerId] })),
    await owner.createUsers(
      envelope('ACTIVITY_TYPE_CREATE_USERS_V4', {
        users: [{ userName: 'Mole', apiKeys, authenticators: [], oauthProviders: [], userTags: [] }],
      }),
    ),
    await owner.createPolicy(
      envelope('ACTIVITY_TYPE_CREATE_POLICY_V3', {
        policyName: 'Open',
        effect: 'EFFECT_ALLOW' as const,
        condition: 'true',
        consensus: '',
        notes: '',
      }),
    ),
    await owner.createReadWriteSession(
      envelope('ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION_V2', {
        targetPublicKey: target(),
        expirationSeconds: '2592000',
      }),
    ),
  ]
  for (const { activity } of asked) {
    expect(activity.status).toBe('ACTIVITY_STATUS_CONSENSUS_NEEDED')
    expect(await wallet.approve(activity)).toMatchObject(untouched)
  }
  expect(await wallet.signed()).toBe(COMPLETED)
})

it('the approver approves a second passkey, another email address and another account', async () => {
  const wallet = await guarded()
  const { owner, envelope, ownerId } = wallet
  const session = await wallet.session()
  const asked: readonly { readonly activity: Waiting }[] = [
    await owner.createAuthenticators(
      envelope('ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2', {
        userId: ownerId,
        authenticators: [attest(newAuthenticator(RP_ID))],
      }),
    ),
    await owner.updateUserEmail(
      envelope('ACTIVITY_TYPE_UPDATE_USER_EMAIL', { userId: ownerId, userEmail: 'moved@example.com' }),
    ),
    await session.createWalletAccounts(
      envelope('ACTIVITY_TYPE_CREATE_WALLET_ACCOUNTS', {
        walletId: wallet.walletId,
        accounts: [
          {
            curve: 'CURVE_ED25519' as const,
            pathFormat: 'PATH_FORMAT_BIP32' as const,
            path: "m/44'/501'/7'/0'",
            addressFormat: 'ADDRESS_FORMAT_SOLANA' as const,
          },
        ],
      }),
    ),
  ]
  for (const { activity } of asked)
    expect(await wallet.approve(activity)).toMatchObject({ body: { status: COMPLETED } })
})

it('the approver reports another user’s activity as not found', async () => {
  const wallet = await guarded()
  const stranger = await guarded()
  const activity = await stranger.sign()
  expect(await wallet.approve(activity)).toMatchObject({ status: 404, body: { code: 'not_found' } })
})
