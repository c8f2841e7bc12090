/** Quorums of several users: the votes that count for each activity, and sessions for another user. */
import { newAuthenticator } from '@keybay/sandbox-tools/testing/software-authenticator'
import { generateP256KeyPair } from '@turnkey/crypto'
import type { TurnkeyClient } from '@turnkey/http'
import { afterAll, expect, it } from 'vitest'
import {
  apiKey,
  attest,
  COMPLETED,
  CONSENSUS_NEEDED,
  newTarget,
  RP_ID,
  raw,
  SIGN,
  SOLANA,
  startWorld,
  type User,
} from './world.js'

const world = await startWorld()
afterAll(() => world.stop())

const none = { apiKeys: [], authenticators: [], oauthProviders: [] }
const SESSION = 'ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION_V2'
interface Waiting {
  readonly fingerprint: string
}

/** Creates an owner and another user with passkeys, and a service with only a key. */
async function organize(rootQuorumThreshold: number) {
  const [ownerKey, otherKey] = [newAuthenticator(RP_ID), newAuthenticator(RP_ID)]
  const key = generateP256KeyPair()
  const { activity } = await world.operator.createSubOrganization(
    world.request(world.custody.organizationId, 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V8', {
      subOrganizationName: 'Several',
      rootQuorumThreshold,
      rootUsers: [
        { ...none, userName: 'Owner', authenticators: [attest(ownerKey)] },
        { ...none, userName: 'Service', apiKeys: [apiKey(key.publicKey)] },
        { ...none, userName: 'Other', authenticators: [attest(otherKey)] },
      ],
      wallet: { walletName: 'Wallet', accounts: [SOLANA] },
    }),
  )
  const made = activity.result.createSubOrganizationResultV8
  const [ownerId = '', serviceId = '', otherId = ''] = made?.rootUserIds ?? []
  const organizationId = made?.subOrganizationId ?? ''
  const { walletId = '', addresses: [address = ''] = [] } = made?.wallet ?? {}
  const request: User['request'] = (type, parameters) => world.request(organizationId, type, parameters)
  const owner = world.clientBy(ownerKey)
  const service = world.clientOf(key)
  const approve = async (client: TurnkeyClient, { fingerprint }: Waiting) =>
    (await client.approveActivity(request('ACTIVITY_TYPE_APPROVE_ACTIVITY', { fingerprint }))).activity.status
  return {
    organizationId,
    ownerId,
    serviceId,
    otherId,
    otherKey,
    owner,
    other: world.clientBy(otherKey),
    service,
    approve,
    request,
    async exportBy(client: TurnkeyClient) {
      const parameters = { walletId, targetPublicKey: newTarget() }
      return (await client.exportWallet(request('ACTIVITY_TYPE_EXPORT_WALLET', parameters))).activity
    },
    signBy: async (client: TurnkeyClient, payload: string) =>
      (await client.signRawPayload(request(SIGN, raw(address, payload)))).activity,
    sessionBy: async (client: TurnkeyClient, userId: string) =>
      (await client.createReadWriteSession(request(SESSION, { targetPublicKey: newTarget(), userId }))).activity,
    reject: async (client: TurnkeyClient, { fingerprint }: Waiting) =>
      (await client.rejectActivity(request('ACTIVITY_TYPE_REJECT_ACTIVITY', { fingerprint }))).activity.status,
    addKeys: (client: TurnkeyClient, userId: string, publicKey: string, expirationSeconds?: string) => {
      const apiKeys = [{ ...apiKey(publicKey), ...(expirationSeconds && { expirationSeconds }) }]
      return client.createApiKeys(request('ACTIVITY_TYPE_CREATE_API_KEYS_V2', { userId, apiKeys }))
    },
    /** Creates an API key of the owner, approved by both required users. */
    async keyOfOwner(expirationSeconds?: string) {
      const pair = generateP256KeyPair()
      await approve(service, (await this.addKeys(owner, ownerId, pair.publicKey, expirationSeconds)).activity)
      return world.clientOf(pair)
    },
  }
}

it('a service approves what its user began with a verified passkey, but cannot begin such activities itself', async () => {
  const { owner, service, exportBy, approve } = await organize(2)
  await expect(exportBy(service)).rejects.toMatchObject({ code: 7 })
  const waiting = await exportBy(owner)
  expect(waiting.status).toBe(CONSENSUS_NEEDED)
  expect(await approve(service, waiting)).toBe(COMPLETED)
})

it('an API key of a passkey user cannot approve an export; a passkey can only with user verification', async () => {
  const scene = await organize(2)
  const { owner, other, otherKey, service, exportBy, approve, reject } = scene
  const byKey = await scene.keyOfOwner('900')
  const waiting = await exportBy(other)
  await expect(approve(byKey, waiting)).rejects.toMatchObject({ code: 7 })
  await expect(reject(byKey, waiting)).rejects.toMatchObject({ code: 7 })
  const second = await exportBy(owner)
  otherKey.claims.isVerified = false
  await expect(approve(other, second)).rejects.toMatchObject({ code: 7 })
  otherKey.claims.isVerified = true
  expect(await approve(other, second)).toBe(COMPLETED)
  expect(await approve(service, waiting)).toBe(COMPLETED)
})

it('API keys can approve signatures, just as they can sign', async () => {
  const scene = await organize(2)
  const { service, signBy, approve } = scene
  const byKey = await scene.keyOfOwner()
  expect(await approve(service, await signBy(byKey, 'aa'))).toBe(COMPLETED)
  expect(await approve(byKey, await signBy(service, 'ab'))).toBe(COMPLETED)
})

it('a service’s vote is refused once the verified vote before it has expired', async () => {
  const { owner, service, exportBy, approve } = await organize(2)
  const waiting = await exportBy(owner)
  world.custody.clock.advance(24 * 60 * 60_000)
  await expect(approve(service, waiting)).rejects.toMatchObject({ code: 7 })
  expect(await approve(owner, waiting)).toBe(CONSENSUS_NEEDED)
})

it('a session for another user waits for the passkey of that user', async () => {
  const { owner, other, service, serviceId, otherId, ownerId, sessionBy, approve } = await organize(1)
  // A quorum of one root user still cannot act for another user.
  const forOther = await sessionBy(owner, otherId)
  expect(forOther.status).toBe(CONSENSUS_NEEDED)
  expect(forOther.result).toEqual({})
  const forService = await sessionBy(owner, serviceId)
  expect(forService.status).toBe(CONSENSUS_NEEDED)
  expect(await approve(other, forService)).toBe(CONSENSUS_NEEDED)
  await expect(approve(service, forService)).rejects.toMatchObject({ code: 7 })
  expect(await approve(other, forOther)).toBe(COMPLETED)
  expect((await sessionBy(owner, ownerId)).status).toBe(COMPLETED)
})

it('a user outside the quorum gets no session for another user', async () => {
  const { owner, ownerId, request, sessionBy } = await organize(1)
  const clerkKey = newAuthenticator(RP_ID)
  const users = [{ ...none, userName: 'Clerk', authenticators: [attest(clerkKey)], userTags: [] }]
  await owner.createUsers(request('ACTIVITY_TYPE_CREATE_USERS_V4', { users }))
  const policy = { policyName: 'All', effect: 'EFFECT_ALLOW', condition: 'true', consensus: '', notes: '' } as const
  await owner.createPolicy(request('ACTIVITY_TYPE_CREATE_POLICY_V3', policy))
  await expect(sessionBy(world.clientBy(clerkKey), ownerId)).rejects.toMatchObject({ code: 7 })
})

it('a service replaces its own keys without the quorum, keeps at least one key, and changes no other keys', async () => {
  const { organizationId, ownerId, serviceId, service, request, addKeys } = await organize(2)
  const next = generateP256KeyPair()
  await expect(addKeys(service, ownerId, next.publicKey)).rejects.toMatchObject({ code: 7 })
  expect((await addKeys(service, serviceId, next.publicKey)).activity.status).toBe(COMPLETED)
  const renewed = world.clientOf(next)
  const { user } = await renewed.getUser({ organizationId, userId: serviceId })
  const remove = (apiKeyIds: string[]) =>
    renewed.deleteApiKeys(request('ACTIVITY_TYPE_DELETE_API_KEYS', { userId: serviceId, apiKeyIds }))
  const [old, current] = [false, true].map(isOwn =>
    user.apiKeys.filter(({ credential }) => (credential.publicKey === next.publicKey) === isOwn).map(k => k.apiKeyId),
  )
  expect((await remove(old ?? [])).activity.status).toBe(COMPLETED)
  await expect(remove(current ?? [])).rejects.toMatchObject({ code: 9 })
  await expect(service.getWhoami({ organizationId })).rejects.toMatchObject({ code: 16 })
})

it('a temporary key cannot create a permanent key, even if its user is a service', async () => {
  const { serviceId, service, addKeys } = await organize(2)
  const brief = generateP256KeyPair()
  await addKeys(service, serviceId, brief.publicKey, '60')
  const permanent = addKeys(world.clientOf(brief), serviceId, generateP256KeyPair().publicKey)
  await expect(permanent).rejects.toMatchObject({ code: 7 })
})

it('the operator creates sub-organizations, but changes nothing in its own organization', async () => {
  const { organizationId } = world.custody
  const { userId } = await world.operator.getWhoami({ organizationId })
  const body = world.request(organizationId, 'ACTIVITY_TYPE_CREATE_API_KEYS_V2', { userId, apiKeys: [apiKey()] })
  await expect(world.operator.createApiKeys(body)).rejects.toMatchObject({ code: 7 })
})
