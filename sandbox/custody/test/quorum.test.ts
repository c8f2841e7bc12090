/** Quorums of several users: the votes that count for each activity, and sessions for another user. */
import { newAuthenticator } from '@keybay/sandbox-tools/testing/software-authenticator'
import { generateP256KeyPair } from '@turnkey/crypto'
import type { TurnkeyClient } from '@turnkey/http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { apiClient, attest, passkeyClient, RP_ID, SOLANA, startWorld, type World } from './world.js'

let world: World
beforeAll(async () => {
  world = await startWorld()
}, 120_000)
afterAll(() => world.stop())

function target() {
  return generateP256KeyPair().publicKeyUncompressed
}
const none = { apiKeys: [], authenticators: [], oauthProviders: [] }

function keyParams(publicKey: string) {
  return { apiKeyName: 'Key', publicKey, curveType: 'API_KEY_CURVE_P256' as const }
}

/** Creates an owner and another user with passkeys, and a service with only a key. */
async function organize(rootQuorumThreshold: number) {
  const [ownerKey, otherKey] = [newAuthenticator(RP_ID), newAuthenticator(RP_ID)]
  const key = generateP256KeyPair()
  const base = { timestampMs: world.now(), organizationId: world.custody.organizationId }
  const { activity } = await world.operator.createSubOrganization({
    ...base,
    type: 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V8',
    parameters: {
      subOrganizationName: 'Several',
      rootQuorumThreshold,
      rootUsers: [
        { ...none, userName: 'Owner', authenticators: [attest(ownerKey)] },
        { ...none, userName: 'Service', apiKeys: [keyParams(key.publicKey)] },
        { ...none, userName: 'Other', authenticators: [attest(otherKey)] },
      ],
      wallet: { walletName: 'Wallet', accounts: [SOLANA] },
    },
  })
  const made = activity.result.createSubOrganizationResultV8
  const { internalUrl } = world.custody
  const [ownerId = '', serviceId = '', otherId = ''] = made?.rootUserIds ?? []
  const organizationId = made?.subOrganizationId ?? ''
  const envelope = <T extends string, P>(type: T, parameters: P) => ({
    type,
    timestampMs: world.now(),
    organizationId,
    parameters,
  })
  const owner = passkeyClient(internalUrl, ownerKey)
  const walletId = made?.wallet?.walletId ?? ''
  const service = apiClient(internalUrl, key)
  const approve = async (client: TurnkeyClient, { fingerprint }: { fingerprint: string }) =>
    (await client.approveActivity(envelope('ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint }))).activity.status
  return {
    organizationId,
    ownerId,
    serviceId,
    otherId,
    ownerKey,
    otherKey,
    owner,
    other: passkeyClient(internalUrl, otherKey),
    service,
    approve,
    envelope,
    exportBy: async (client: TurnkeyClient) =>
      (await client.exportWallet(envelope('ACTIVITY_TYPE_EXPORT_WALLET', { walletId, targetPublicKey: target() })))
        .activity,
    signBy: async (client: TurnkeyClient, payload: string) =>
      (
        await client.signRawPayload(
          envelope('ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', {
            signWith: made?.wallet?.addresses[0] ?? '',
            payload,
            encoding: 'PAYLOAD_ENCODING_HEXADECIMAL' as const,
            hashFunction: 'HASH_FUNCTION_NOT_APPLICABLE' as const,
          }),
        )
      ).activity,
    sessionBy: async (client: TurnkeyClient, userId: string) =>
      (
        await client.createReadWriteSession(
          envelope('ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION_V2', { targetPublicKey: target(), userId }),
        )
      ).activity,
    reject: async (client: TurnkeyClient, { fingerprint }: { fingerprint: string }) =>
      (await client.rejectActivity(envelope('ACTIVITY_TYPE_REJECT_ACTIVITY', { fingerprint }))).activity.status,
    /** Creates an API key of the owner, approved by both required users. */
    async keyOfOwner(expirationSeconds?: string) {
      const pair = generateP256KeyPair()
      const apiKey = { ...keyParams(pair.publicKey), ...(expirationSeconds && { expirationSeconds }) }
      const { activity } = await owner.createApiKeys(
        envelope('ACTIVITY_TYPE_CREATE_API_KEYS_V2', { userId: ownerId, apiKeys: [apiKey] }),
      )
      await approve(service, activity)
      return apiClient(internalUrl, pair)
    },
  }
}

it('a service approves what its user began with a verified passkey, but cannot begin such activities itself', async () => {
  const { owner, service, exportBy, approve } = await organize(2)
  await expect(exportBy(service)).rejects.toMatchObject({ code: 7 })
  const waiting = await exportBy(owner)
  expect(waiting.status).toBe('ACTIVITY_STATUS_CONSENSUS_NEEDED')
  expect(await approve(service, waiting)).toBe('ACTIVITY_STATUS_COMPLETED')
})

it('an API key of a passkey user cannot approve an export; a passkey can only with user verification', async () => {
  const scene = await organize(2)
  const { owner, other, otherKey, service, exportBy, approve, reject, keyOfOwner } = scene
  const byKey = await keyOfOwner('900')
  const waiting = await exportBy(other)
  await expect(approve(byKey, waiting)).rejects.toMatchObject({ code: 7 })
  await expect(reject(byKey, waiting)).rejects.toMatchObject({ code: 7 })
  const second = await exportBy(owner)
  otherKey.claims.isVerified = false
  await expect(approve(other, second)).rejects.toMatchObject({ code: 7 })
  otherKey.claims.isVerified = true
  expect(await approve(other, second)).toBe('ACTIVITY_STATUS_COMPLETED')
  expect(await approve(service, waiting)).toBe('ACTIVITY_STATUS_COMPLETED')
})

it('API keys can approve signatures, just as they can sign', async () => {
  const { service, signBy, approve, keyOfOwner } = await organize(2)
  const byKey = await keyOfOwner()
  expect(await approve(service, await signBy(byKey, 'aa'))).toBe('ACTIVITY_STATUS_COMPLETED')
  expect(await approve(byKey, await signBy(service, 'ab'))).toBe('ACTIVITY_STATUS_COMPLETED')
})

it('a service’s vote is refused once the verified vote before it has expired', async () => {
  const { owner, service, exportBy, approve } = await organize(2)
  const waiting = await exportBy(owner)
  world.custody.clock.advance(24 * 60 * 60_000)
  await expect(approve(service, waiting)).rejects.toMatchObject({ code: 7 })
  expect(await approve(owner, waiting)).toBe('ACTIVITY_STATUS_CONSENSUS_NEEDED')
})

it('a session for another user waits for the passkey of that user', async () => {
  const { owner, other, service, serviceId, otherId, ownerId, sessionBy, approve } = await organize(1)
  // A quorum of one root user still cannot act for another user.
  const forOther = await sessionBy(owner, otherId)
  expect(forOther.status).toBe('ACTIVITY_STATUS_CONSENSUS_NEEDED')
  expect(forOther.result).toEqual({})
  const forService = await sessionBy(owner, serviceId)
  expect(forService.status).toBe('ACTIVITY_STATUS_CONSENSUS_NEEDED')
  expect(await approve(other, forService)).toBe('ACTIVITY_STATUS_CONSENSUS_NEEDED')
  await expect(approve(service, forService)).rejects.toMatchObject({ code: 7 })
  expect(await approve(other, forOther)).toBe('ACTIVITY_STATUS_COMPLETED')
  expect((await sessionBy(owner, ownerId)).status).toBe('ACTIVITY_STATUS_COMPLETED')
})

it('a user outside the quorum gets no session for another user', async () => {
  const { owner, ownerId, envelope } = await organize(1)
  const clerkKey = newAuthenticator(RP_ID)
  await owner.createUsers(
    envelope('ACTIVITY_TYPE_CREATE_USERS_V4', {
      users: [{ ...none, userName: 'Clerk', authenticators: [attest(clerkKey)], userTags: [] }],
    }),
  )
  await owner.createPolicy(
    envelope('ACTIVITY_TYPE_CREATE_POLICY_V3', {
      policyName: 'Everything',
      effect: 'EFFECT_ALLOW' as const,
      condition: 'true',
      consensus: '',
      notes: '',
    }),
  )
  const clerk = passkeyClient(world.custody.internalUrl, clerkKey)
  await expect(
    clerk.createReadWriteSession(
      envelope('ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION_V2', { targetPublicKey: target(), userId: ownerId }),
    ),
  ).rejects.toMatchObject({ code: 7 })
})

it('a service replaces its own keys without the quorum, keeps at least one key, and changes no other keys', async () => {
  const { organizationId, ownerId, serviceId, service, envelope } = await organize(2)
  const next = generateP256KeyPair()
  const add = (client: TurnkeyClient, userId: string, publicKey: string) =>
    client.createApiKeys(envelope('ACTIVITY_TYPE_CREATE_API_KEYS_V2', { userId, apiKeys: [keyParams(publicKey)] }))
  await expect(add(service, ownerId, next.publicKey)).rejects.toMatchObject({ code: 7 })
  expect((await add(service, serviceId, next.publicKey)).activity.status).toBe('ACTIVITY_STATUS_COMPLETED')
  const renewed = apiClient(world.custody.internalUrl, next)
  const { user } = await renewed.getUser({ organizationId, userId: serviceId })
  const remove = (apiKeyIds: string[]) =>
    renewed.deleteApiKeys(envelope('ACTIVITY_TYPE_DELETE_API_KEYS', { userId: serviceId, apiKeyIds }))
  const [old, own] = [false, true].map(isOwn =>
    user.apiKeys.filter(({ credential }) => (credential.publicKey === next.publicKey) === isOwn).map(k => k.apiKeyId),
  )
  expect((await remove(old ?? [])).activity.status).toBe('ACTIVITY_STATUS_COMPLETED')
  await expect(remove(own ?? [])).rejects.toMatchObject({ code: 9 })
  await expect(service.getWhoami({ organizationId })).rejects.toMatchObject({ code: 16 })
})

it('a temporary key cannot create a permanent key, even if its user is a service', async () => {
  const { serviceId, service, envelope } = await organize(2)
  const brief = generateP256KeyPair()
  const add = (client: TurnkeyClient, publicKey: string, expirationSeconds?: string) =>
    client.createApiKeys(
      envelope('ACTIVITY_TYPE_CREATE_API_KEYS_V2', {
        userId: serviceId,
        apiKeys: [{ ...keyParams(publicKey), ...(expirationSeconds && { expirationSeconds }) }],
      }),
    )
  await add(service, brief.publicKey, '60')
  const byBrief = apiClient(world.custody.internalUrl, brief)
  await expect(add(byBrief, generateP256KeyPair().publicKey)).rejects.toMatchObject({ code: 7 })
})

it('the operator creates sub-organisations, but changes nothing in its own organisation', async () => {
  const { organizationId } = world.custody
  const { userId } = await world.operator.getWhoami({ organizationId })
  await expect(
    world.operator.createApiKeys({
      type: 'ACTIVITY_TYPE_CREATE_API_KEYS_V2',
      timestampMs: world.now(),
      organizationId,
      parameters: { userId, apiKeys: [keyParams(generateP256KeyPair().publicKey)] },
    }),
  ).rejects.toMatchObject({ code: 7 })
})
