/** Attacks: each changes one thing in a request that otherwise succeeds. */
import { newAuthenticator } from '@keybay/sandbox-tools/testing/software-authenticator'
import { ApiKeyStamper } from '@turnkey/api-key-stamper'
import { decryptExportBundle, generateP256KeyPair } from '@turnkey/crypto'
import type { TSignedRequest, TurnkeyClient } from '@turnkey/http'
import { afterAll, expect, it } from 'vitest'
import { kinds } from '../src/activities/kinds.js'
import { queries } from '../src/queries/queries.js'
import { apiKey, attest, COMPLETED, type KeyPair, openCredential, post, RP_ID, startWorld, type User } from './world.js'

const world = await startWorld()
const [ann, ben] = [await world.user(), await world.user()]
afterAll(() => world.stop())
const { internalUrl } = world.custody

function send(signed: TSignedRequest | undefined, headers?: Record<string, string>) {
  return post(internalUrl, 'submit/sign_raw_payload', signed, headers)
}

async function keyStamp(body: object, { publicKey, privateKey }: KeyPair) {
  const text = JSON.stringify(body)
  const stamper = new ApiKeyStamper({ apiPublicKey: publicKey, apiPrivateKey: privateKey })
  return { body: text, stamp: await stamper.stamp(text), url: '' }
}

function stamped<T>(signed: T | undefined): T {
  if (!signed) throw new Error('not stamped')
  return signed
}

async function readActivities({ client, organizationId }: User) {
  return (await client.getActivities({ organizationId })).activities
}

function addPasskey({ request, userId }: User, client: TurnkeyClient, passkey = attest()) {
  return client.createAuthenticators(
    request('ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2', { userId, authenticators: [passkey] }),
  )
}

it.each(['passkey', 'key'])('custody refuses an altered request body: %s', async by => {
  const signed = stamped(
    by === 'passkey'
      ? await ann.client.stampSignRawPayload(ann.signature('aa'))
      : await keyStamp(ann.signature('aa'), await world.session(ann)),
  )
  const altered = { ...signed, body: signed.body.replace('"aa"', '"ab"') }
  expect(await send(altered)).toMatchObject({ status: 401, answer: { code: 16 } })
  // Even an added space is refused.
  expect((await send({ ...signed, body: `${signed.body} ` })).status).toBe(401)
  expect((await send(signed)).status).toBe(200)
})

it('custody refuses a stamp of another key', async () => {
  const stranger = generateP256KeyPair()
  expect(await send(await keyStamp(ann.signature('ac'), stranger))).toMatchObject({
    status: 401,
    answer: { details: [{ turnkeyErrorCode: 'PUBLIC_KEY_NOT_FOUND' }] },
  })
  const { publicKey } = await world.session(ann)
  const stolen = { publicKey, privateKey: stranger.privateKey }
  const forged = await keyStamp(ann.signature('ac'), stolen).catch(() => undefined)
  expect(forged === undefined || (await send(forged)).status === 401).toBe(true)
  const passkey = world.clientBy(newAuthenticator(RP_ID))
  await expect(passkey.signRawPayload(ann.signature('ac'))).rejects.toMatchObject({ code: 16 })
})

it('a key that another organization registers too still names the user who registered it first', async () => {
  const key = await world.session(ann)
  ben.authenticator.claims.isVerified = true
  const registration = { userId: ben.userId, apiKeys: [apiKey(key.publicKey)] }
  await ben.client.createApiKeys(ben.request('ACTIVITY_TYPE_CREATE_API_KEYS_V2', registration))
  const client = world.clientOf(key)
  const { organizationId } = world.custody
  for (const named of [organizationId, ann.organizationId])
    expect(await client.getWhoami({ organizationId: named })).toMatchObject({ userId: ann.userId })
  expect(await client.getWhoami({ organizationId: ben.organizationId })).toMatchObject({ userId: ben.userId })
})

it('custody refuses a stamp that names a known passkey but is signed by another passkey', async () => {
  const stranger = world.clientBy(newAuthenticator(RP_ID))
  const signed = stamped(await stranger.stampSignRawPayload(ann.signature('ad')))
  const stamp = { ...JSON.parse(signed.stamp.stampHeaderValue), credentialId: ann.authenticator.id }
  const renamed = { ...signed, stamp: { ...signed.stamp, stampHeaderValue: JSON.stringify(stamp) } }
  expect(await send(renamed)).toMatchObject({ status: 401, answer: { code: 16 } })
})

it('a replayed request returns the same activity, and its stamp is refused for another request', async () => {
  const signed = stamped(await ann.client.stampSignRawPayload(ann.signature('ba')))
  const { activity } = (await send(signed)).answer
  expect((await send(signed)).answer.activity).toEqual(activity)
  expect((await send({ ...signed, body: JSON.stringify(ann.signature('bb')) })).status).toBe(401)
  expect((await readActivities(ann)).filter(({ fingerprint }) => fingerprint === activity.fingerprint)).toHaveLength(1)
})

it('twenty concurrent copies of a request create one activity', async () => {
  const signed = await keyStamp(ann.signature('bc'), await world.session(ann))
  const answers = await Promise.all(Array.from({ length: 20 }, () => send(signed)))
  expect(new Set(answers.map(({ answer }) => answer.activity.id)).size).toBe(1)
  expect((await readActivities(ann)).filter(({ id }) => id === answers[0]?.answer.activity.id)).toHaveLength(1)
})

it('the passkey counter refuses a replayed stamp of a read', async () => {
  const signed = await ann.client.stampGetWhoami({ organizationId: ann.organizationId })
  expect((await post(internalUrl, 'query/whoami', signed)).status).toBe(200)
  expect(await post(internalUrl, 'query/whoami', signed)).toMatchObject({ status: 401, answer: { code: 16 } })
})

it('custody refuses an authenticator whose counter goes backwards', async () => {
  const { authenticator, client, organizationId, signature } = ben
  const before = authenticator.counter
  await client.getWhoami({ organizationId })
  authenticator.counter = before - 1
  await expect(client.signRawPayload(signature('bd'))).rejects.toMatchObject({
    details: [{ turnkeyErrorCode: 'AUTHENTICATOR_COUNTER' }],
  })
  authenticator.counter = before + 10
  expect((await client.signRawPayload(signature('be'))).activity.status).toBe(COMPLETED)
})

it.each([
  ['stale', -16 * 60_000],
  ['from the future', 6 * 60_000],
])('custody refuses a timestamp that is %s', async (_, by) => {
  const timestampMs = String(world.custody.clock.now() + by)
  await expect(ann.client.signRawPayload({ ...ann.signature('ca'), timestampMs })).rejects.toMatchObject({
    code: 3,
    details: [{ turnkeyErrorCode: 'TIMESTAMP_OUT_OF_RANGE' }],
  })
})

it.each(['http://evil.localhost:4000', 'http://app.localhost:4001'])(
  'custody refuses a passkey stamp from the page %s',
  async origin => {
    const client = world.clientBy(ann.authenticator, origin)
    await expect(client.getWhoami({ organizationId: ann.organizationId })).rejects.toMatchObject({ code: 16 })
  },
)

it.each([
  ['for another site', { rpId: 'evil.localhost' }],
  ['without a user present', { isPresent: false }],
  ['that makes a passkey', { type: 'webauthn.create' }],
])('custody refuses a passkey stamp %s', async (_, lie) => {
  const { client, organizationId, signature, authenticator } = await world.user()
  const { claims } = authenticator
  const truth = { ...claims }
  Object.assign(claims, lie)
  const refused = { code: 16, details: [{ turnkeyErrorCode: 'SIGNATURE_INVALID' }] }
  await expect(client.getWhoami({ organizationId })).rejects.toMatchObject(refused)
  await expect(client.signRawPayload(signature('cc'))).rejects.toMatchObject(refused)
  Object.assign(claims, truth)
  expect((await client.signRawPayload(signature('cc'))).activity.status).toBe(COMPLETED)
})

it('an attestation for another page or another challenge creates no passkey', async () => {
  const refused = { code: 3, details: [expect.objectContaining({ turnkeyErrorCode: 'ATTESTATION_INVALID' })] }
  for (const passkey of [
    attest(newAuthenticator(RP_ID), 'Evil', 'http://evil.localhost:4000'),
    { ...attest(), challenge: 'AAAA' },
    attest(newAuthenticator('evil.localhost')),
  ])
    await expect(addPasskey(ann, ann.client, passkey)).rejects.toMatchObject(refused)
})

it('an expired session key signs, exports and reads nothing', async () => {
  const client = world.clientOf(await world.session(ann, 60))
  const { organizationId } = ann
  expect(await client.getWhoami({ organizationId })).toMatchObject({ userId: ann.userId })
  world.custody.clock.advance(60_000)
  const over = { code: 16, details: [{ turnkeyErrorCode: 'API_KEY_EXPIRED' }] }
  await expect(client.signRawPayload(ann.signature('cb'))).rejects.toMatchObject(over)
  await expect(client.getWallets({ organizationId })).rejects.toMatchObject(over)
  await expect(client.exportWallet(ann.exportRequest())).rejects.toMatchObject(over)
})

it('a user cannot use the key, wallet, account or activity of another organization', async () => {
  const { organizationId, client } = ann
  await expect(client.getWhoami({ organizationId: ben.organizationId })).rejects.toMatchObject({ code: 16 })
  await expect(client.signRawPayload(ben.signature('da'))).rejects.toMatchObject({ code: 16 })
  await expect(client.signRawPayload(ann.signature('db', ben.addresses[0]))).rejects.toMatchObject({ code: 5 })
  const foreign = { ...ben.exportRequest(), organizationId }
  await expect(client.exportWallet(foreign)).rejects.toMatchObject({ code: 5 })
  const [activity] = await readActivities(ben)
  const unseen = client.getActivity({ organizationId, activityId: activity?.id ?? '' })
  await expect(unseen).rejects.toMatchObject({ code: 5 })
})

it('the operator reads wallets and starts recoveries, but cannot sign or export', async () => {
  expect((await world.operator.getWallets({ organizationId: ann.organizationId })).wallets).toHaveLength(1)
  await expect(world.operator.signRawPayload(ann.signature('dc'))).rejects.toMatchObject({ code: 7 })
  await expect(world.operator.exportWallet(ann.exportRequest())).rejects.toMatchObject({ code: 7 })
})

it('a recovery key only recovers, for at most 900 s', async () => {
  const { organizationId, request, signature } = ben
  const { code, pageKey } = await world.recoveryCode(ben)
  // Only the page that requested the code can open it.
  expect(() => openCredential(code, generateP256KeyPair().privateKey)).toThrow()
  const client = world.clientOf(openCredential(code, pageKey))
  const denied = { code: 7 }
  await expect(client.signRawPayload(signature('ea'))).rejects.toMatchObject(denied)
  await expect(client.getWallets({ organizationId })).rejects.toMatchObject(denied)
  await expect(addPasskey(ben, client)).rejects.toMatchObject(denied)
  // The permission check refuses the request before the parameters are validated.
  for (const { path, types } of kinds.filter(kind => kind.path !== 'recover_user')) {
    const submission = client.request(`/public/v1/submit/${path}`, request(types[0] ?? '', {}))
    await expect(submission, path).rejects.toMatchObject(denied)
  }
  // A recovery key may only query its own identity.
  const readable = queries.filter(query => query.whileRecovering).map(({ path }) => path)
  expect(readable).toEqual(['whoami', 'get_user', 'get_activity'])
  for (const { path } of queries.filter(query => !query.whileRecovering))
    await expect(client.request(`/public/v1/query/${path}`, { organizationId }), path).rejects.toMatchObject(denied)
  world.custody.clock.advance(900_000)
  await expect(client.getWhoami({ organizationId })).rejects.toMatchObject({
    code: 16,
    details: [{ turnkeyErrorCode: 'API_KEY_EXPIRED' }],
  })
})

it('custody refuses to delete the last credential of a root user, which would lock the wallet forever', async () => {
  const { client, organizationId, userId, request } = await world.user()
  const key = generateP256KeyPair()
  const apiKeys = [apiKey(key.publicKey)]
  const made = await client.createApiKeys(request('ACTIVITY_TYPE_CREATE_API_KEYS_V2', { userId, apiKeys }))
  const apiKeyIds = made.activity.result.createApiKeysResult?.apiKeyIds ?? []
  const byKey = world.clientOf(key)
  const { user } = await client.getUser({ organizationId, userId })
  const authenticatorIds = user.authenticators.map(({ authenticatorId }) => authenticatorId)
  const deletePasskey = (by: TurnkeyClient) =>
    by.deleteAuthenticators(request('ACTIVITY_TYPE_DELETE_AUTHENTICATORS', { userId, authenticatorIds }))
  const deleteKey = (by: TurnkeyClient) =>
    by.deleteApiKeys(request('ACTIVITY_TYPE_DELETE_API_KEYS', { userId, apiKeyIds }))
  await expect(deletePasskey(byKey)).rejects.toMatchObject({ code: 7 })
  await expect(deleteKey(byKey)).rejects.toMatchObject({ code: 7 })
  await deleteKey(client)
  await expect(deletePasskey(client)).rejects.toMatchObject({ code: 9 })
  expect(await client.getWhoami({ organizationId })).toMatchObject({ userId })
  // A key that expires does not count as the last credential.
  const other = await world.user()
  await world.session(other, 60)
  const ids = { organizationId: other.organizationId, userId: other.userId }
  const [passkey] = (await other.client.getUser(ids)).user.authenticators
  const last = { userId: other.userId, authenticatorIds: [passkey?.authenticatorId ?? ''] }
  const deleting = other.client.deleteAuthenticators(other.request('ACTIVITY_TYPE_DELETE_AUTHENTICATORS', last))
  await expect(deleting).rejects.toMatchObject({ code: 9 })
})

it('custody refuses a request whose policy takes too many steps to evaluate, so other requests are not blocked', async () => {
  const { client, request, addresses, signature } = await world.user()
  const key = generateP256KeyPair()
  const none = { userTags: [], authenticators: [], oauthProviders: [] }
  await client.createUsers(
    request('ACTIVITY_TYPE_CREATE_USERS_V4', {
      users: [{ ...none, userName: 'Helper', apiKeys: [apiKey(key.publicKey)] }],
    }),
  )
  // 64 payloads compared with each other, eight levels deep: 64^8 steps.
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
  const condition = names.reduceRight(
    (inner, name) => `activity.params.payloads.any(${name}, ${inner})`,
    "activity.action == 'EXPORT'",
  )
  const policy = { policyName: 'Long', effect: 'EFFECT_ALLOW', condition, consensus: '', notes: '' } as const
  await client.createPolicy(request('ACTIVITY_TYPE_CREATE_POLICY_V3', policy))
  const { payload: _, ...how } = signature('').parameters
  const payloads = Array.from({ length: 64 }, () => 'aa')
  const parameters = { ...how, signWith: addresses[0], payloads }
  const signing = world.clientOf(key).signRawPayloads(request('ACTIVITY_TYPE_SIGN_RAW_PAYLOADS', parameters))
  await expect(signing).rejects.toMatchObject({ code: 3, details: [{ turnkeyErrorCode: 'POLICY_INVALID' }] })
})

it('an export bundle opens only with its own key, organization and signer', async () => {
  const target = generateP256KeyPair()
  const { activity } = await ann.client.exportWallet(ann.exportRequest(target.publicKeyUncompressed))
  const right = {
    exportBundle: activity.result.exportWalletResult?.exportBundle ?? '',
    embeddedKey: target.privateKey,
    organizationId: ann.organizationId,
    dangerouslyOverrideSignerPublicKey: world.custody.signerPublicKey,
    returnMnemonic: true,
  }
  expect((await decryptExportBundle(right)).split(' ')).toHaveLength(12)
  const { dangerouslyOverrideSignerPublicKey: _, ...turnkeys } = right
  const { data } = JSON.parse(right.exportBundle)
  const other = JSON.stringify({ ...JSON.parse(right.exportBundle), data: data.replace(/^../, '20') })
  for (const wrong of [
    { ...right, embeddedKey: generateP256KeyPair().privateKey },
    { ...right, organizationId: ben.organizationId },
    { ...right, exportBundle: other },
    turnkeys,
  ])
    await expect(decryptExportBundle(wrong)).rejects.toThrow('Error decrypting bundle')
})

it('a foreign page can read custody’s refusal, but no other response, and gets no permission from a preflight', async () => {
  const signed = await ann.client.stampGetWhoami({ organizationId: ann.organizationId })
  const headers = { origin: 'http://evil.localhost:4000' }
  expect(await post(internalUrl, 'query/whoami', signed, headers)).toMatchObject({ status: 403, answer: { code: 7 } })
  const getCors = (answer: Response) =>
    Object.fromEntries([...answer.headers].filter(([name]) => name.startsWith('access-control-')))
  for (const path of ['public/v1/query/whoami', 'public/v1/submit/sign_raw_payload', 'operator/organizations']) {
    const refusal = await fetch(`${internalUrl}/${path}`, { method: 'POST', headers, body: signed?.body ?? '' })
    expect([path, refusal.status, getCors(refusal)]).toEqual([
      path,
      403,
      { 'access-control-allow-origin': headers.origin },
    ])
    expect(Object.keys(await refusal.json())).toEqual(['code', 'message', 'details', 'turnkeyErrorCode'])
    const preflight = await fetch(`${internalUrl}/${path}`, { method: 'OPTIONS', headers })
    expect([path, preflight.status, getCors(preflight)]).toEqual([path, 403, {}])
  }
  expect(getCors(await fetch(`${internalUrl}/public/v1/nowhere`, { method: 'POST', headers }))).toEqual({})
})

it.each([
  ['no stamp', 'x-none', ''],
  ['not base64', 'x-stamp', '{}'],
  ['another scheme', 'x-stamp', Buffer.from('{"publicKey":"02","scheme":"X","signature":"00"}').toString('base64url')],
  ['an empty passkey stamp', 'x-stamp-webauthn', '{}'],
])('custody refuses a read with an invalid stamp: %s', async (_, stampHeaderName, stampHeaderValue) => {
  const body = JSON.stringify({ organizationId: ann.organizationId })
  const signed = { body, stamp: { stampHeaderName, stampHeaderValue }, url: '' }
  expect(await post(internalUrl, 'query/whoami', signed)).toMatchObject({
    status: 401,
    answer: { code: 16, message: expect.any(String), details: [expect.any(Object)] },
  })
})
