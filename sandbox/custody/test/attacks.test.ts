/** Attacks: each changes one thing in a request that otherwise succeeds. */
import { newAuthenticator } from '@keybay/sandbox-tools/testing/software-authenticator'
import { ApiKeyStamper } from '@turnkey/api-key-stamper'
import { decryptCredentialBundle, decryptExportBundle, generateP256KeyPair, getPublicKey } from '@turnkey/crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { kinds } from '../src/activities/kinds.js'
import { queries } from '../src/queries/queries.js'
import { apiClient, attest, type Person, passkeyClient, RP_ID, startWorld, type World } from './world.js'

let world: World
let ann: Person
let ben: Person
beforeAll(async () => {
  world = await startWorld()
  ann = await world.person()
  ben = await world.person()
}, 120_000)
afterAll(() => world.stop())

const SIGN = '/public/v1/submit/sign_raw_payload'

function sign(payload: string, { organizationId, addresses }: Person = ann, timestampMs = world.now()) {
  return {
    type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2' as const,
    timestampMs,
    organizationId,
    parameters: {
      signWith: addresses[0],
      payload,
      encoding: 'PAYLOAD_ENCODING_HEXADECIMAL' as const,
      hashFunction: 'HASH_FUNCTION_NOT_APPLICABLE' as const,
    },
  }
}
type Signed = { body: string; stamp: { stampHeaderName: string; stampHeaderValue: string } }

async function send(path: string, { body, stamp }: Signed, headers: Record<string, string> = {}) {
  const response = await fetch(`${world.custody.internalUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', [stamp.stampHeaderName]: stamp.stampHeaderValue, ...headers },
    body,
  })
  return { status: response.status, answer: await response.json() }
}

async function keyStamp(body: object, { publicKey, privateKey }: { publicKey: string; privateKey: string }) {
  const text = JSON.stringify(body)
  const stamper = new ApiKeyStamper({ apiPublicKey: publicKey, apiPrivateKey: privateKey })
  return { body: text, stamp: await stamper.stamp(text) }
}

async function readActivities({ client, organizationId }: Person) {
  return (await client.getActivities({ organizationId })).activities
}

it.each(['passkey', 'key'])('custody refuses an altered request body: %s', async by => {
  const signed =
    by === 'passkey'
      ? await ann.client.stampSignRawPayload(sign('aa'))
      : await keyStamp(sign('aa'), await world.session(ann))
  const altered = { ...signed, body: signed.body.replace('"aa"', '"ab"') }
  expect(await send(SIGN, altered)).toMatchObject({ status: 401, answer: { code: 16 } })
  // Even an added space is refused.
  expect((await send(SIGN, { ...signed, body: `${signed.body} ` })).status).toBe(401)
  expect((await send(SIGN, signed)).status).toBe(200)
})

it('custody refuses a stamp of another key', async () => {
  const stranger = generateP256KeyPair()
  expect(await send(SIGN, await keyStamp(sign('ac'), stranger))).toMatchObject({
    status: 401,
    answer: { details: [{ turnkeyErrorCode: 'PUBLIC_KEY_NOT_FOUND' }] },
  })
  const session = await world.session(ann)
  const forged = await keyStamp(sign('ac'), { publicKey: session.publicKey, privateKey: stranger.privateKey }).catch(
    () => undefined,
  )
  expect(forged === undefined || (await send(SIGN, forged)).status === 401).toBe(true)
  const passkey = passkeyClient(world.custody.internalUrl, newAuthenticator(RP_ID))
  await expect(passkey.signRawPayload(sign('ac'))).rejects.toMatchObject({ code: 16 })
})

it('custody refuses a stamp that names a known passkey but is signed by another passkey', async () => {
  const stranger = newAuthenticator(RP_ID)
  const signed = await passkeyClient(world.custody.internalUrl, stranger).stampSignRawPayload(sign('ad'))
  if (!signed) throw new Error('not stamped')
  const stamp = { ...JSON.parse(signed.stamp.stampHeaderValue), credentialId: ann.authenticator.id }
  const renamed = { ...signed, stamp: { ...signed.stamp, stampHeaderValue: JSON.stringify(stamp) } }
  expect(await send(SIGN, renamed)).toMatchObject({ status: 401, answer: { code: 16 } })
})

it('a replayed request returns the same activity, and its stamp is refused for another request', async () => {
  const signed = await ann.client.stampSignRawPayload(sign('ba'))
  if (!signed) throw new Error('not stamped')
  const first = await send(SIGN, signed)
  const again = await send(SIGN, signed)
  expect(again.answer.activity).toEqual(first.answer.activity)
  const stamped = { ...signed, body: JSON.stringify(sign('bb')) }
  expect((await send(SIGN, stamped)).status).toBe(401)
  const made = (await readActivities(ann)).filter(
    ({ fingerprint }) => fingerprint === first.answer.activity.fingerprint,
  )
  expect(made).toHaveLength(1)
})

it('twenty concurrent copies of a request create one activity', async () => {
  const signed = await keyStamp(sign('bc'), await world.session(ann))
  const answers = await Promise.all(Array.from({ length: 20 }, () => send(SIGN, signed)))
  expect(new Set(answers.map(({ answer }) => answer.activity.id)).size).toBe(1)
  expect((await readActivities(ann)).filter(({ id }) => id === answers[0]?.answer.activity.id)).toHaveLength(1)
})

it('the passkey counter refuses a replayed stamp of a read', async () => {
  const signed = await ann.client.stampGetWhoami({ organizationId: ann.organizationId })
  if (!signed) throw new Error('not stamped')
  expect((await send('/public/v1/query/whoami', signed)).status).toBe(200)
  expect(await send('/public/v1/query/whoami', signed)).toMatchObject({ status: 401, answer: { code: 16 } })
})

it('custody refuses an authenticator whose counter goes backwards', async () => {
  const { authenticator } = ben
  const before = authenticator.counter
  await ben.client.getWhoami({ organizationId: ben.organizationId })
  authenticator.counter = before - 1
  await expect(ben.client.signRawPayload(sign('bd', ben))).rejects.toMatchObject({
    details: [{ turnkeyErrorCode: 'AUTHENTICATOR_COUNTER' }],
  })
  authenticator.counter = before + 10
  expect((await ben.client.signRawPayload(sign('be', ben))).activity.status).toBe('ACTIVITY_STATUS_COMPLETED')
})

it.each([
  ['stale', -16 * 60_000],
  ['from the future', 6 * 60_000],
])('custody refuses a timestamp that is %s', async (_, by) => {
  const at = String(world.custody.clock.now() + by)
  await expect(ann.client.signRawPayload(sign('ca', ann, at))).rejects.toMatchObject({
    code: 3,
    details: [{ turnkeyErrorCode: 'TIMESTAMP_OUT_OF_RANGE' }],
  })
})

it.each(['http://evil.localhost:4000', 'http://app.localhost:4001'])(
  'custody refuses a passkey stamp from the page %s',
  async origin => {
    const client = passkeyClient(world.custody.internalUrl, ann.authenticator, origin)
    await expect(client.getWhoami({ organizationId: ann.organizationId })).rejects.toMatchObject({ code: 16 })
  },
)

it.each([
  ['for another site', { rpId: 'evil.localhost' }],
  ['without anybody there', { isPresent: false }],
  ['that makes a passkey', { type: 'webauthn.create' }],
])('custody refuses a passkey stamp %s', async (_, lie) => {
  const person = await world.person()
  const { client, organizationId } = person
  const { claims } = person.authenticator
  const truth = { ...claims }
  Object.assign(claims, lie)
  const refused = { code: 16, details: [{ turnkeyErrorCode: 'SIGNATURE_INVALID' }] }
  await expect(client.getWhoami({ organizationId })).rejects.toMatchObject(refused)
  await expect(client.signRawPayload(sign('cc', person))).rejects.toMatchObject(refused)
  Object.assign(claims, truth)
  expect((await client.signRawPayload(sign('cc', person))).activity.status).toBe('ACTIVITY_STATUS_COMPLETED')
})

it('an attestation for another page or another challenge creates no passkey', async () => {
  const add = (authenticator: ReturnType<typeof attest>) =>
    ann.client.createAuthenticators({
      type: 'ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2',
      timestampMs: world.now(),
      organizationId: ann.organizationId,
      parameters: { userId: ann.userId, authenticators: [authenticator] },
    })
  const fresh = () => newAuthenticator(RP_ID)
  const refused = { code: 3, details: [expect.objectContaining({ turnkeyErrorCode: 'ATTESTATION_INVALID' })] }
  await expect(add(attest(fresh(), 'Evil', 'http://evil.localhost:4000'))).rejects.toMatchObject(refused)
  await expect(add({ ...attest(fresh()), challenge: 'AAAA' })).rejects.toMatchObject(refused)
  await expect(add(attest(newAuthenticator('evil.localhost')))).rejects.toMatchObject(refused)
})

it('an expired session key signs, exports and reads nothing', async () => {
  const session = await world.session(ann, 60)
  const client = apiClient(world.custody.internalUrl, session)
  const { organizationId } = ann
  expect(await client.getWhoami({ organizationId })).toMatchObject({ userId: ann.userId })
  world.custody.clock.advance(60_000)
  const over = { code: 16, details: [{ turnkeyErrorCode: 'API_KEY_EXPIRED' }] }
  await expect(client.signRawPayload(sign('cb'))).rejects.toMatchObject(over)
  await expect(client.getWallets({ organizationId })).rejects.toMatchObject(over)
  await expect(
    client.exportWallet({
      type: 'ACTIVITY_TYPE_EXPORT_WALLET',
      timestampMs: world.now(),
      organizationId,
      parameters: { walletId: ann.walletId, targetPublicKey: generateP256KeyPair().publicKeyUncompressed },
    }),
  ).rejects.toMatchObject(over)
})

it('a user cannot use the key, wallet, account or activity of another organisation', async () => {
  const { organizationId } = ben
  await expect(ann.client.getWhoami({ organizationId })).rejects.toMatchObject({ code: 16 })
  await expect(ann.client.signRawPayload(sign('da', ben))).rejects.toMatchObject({ code: 16 })
  const foreign = { ...sign('db'), parameters: { ...sign('db').parameters, signWith: ben.addresses[0] } }
  await expect(ann.client.signRawPayload(foreign)).rejects.toMatchObject({ code: 5 })
  const { targetPublicKey } = { targetPublicKey: generateP256KeyPair().publicKeyUncompressed }
  await expect(
    ann.client.exportWallet({
      type: 'ACTIVITY_TYPE_EXPORT_WALLET',
      timestampMs: world.now(),
      organizationId: ann.organizationId,
      parameters: { walletId: ben.walletId, targetPublicKey },
    }),
  ).rejects.toMatchObject({ code: 5 })
  const [activity] = await readActivities(ben)
  await expect(
    ann.client.getActivity({ organizationId: ann.organizationId, activityId: activity?.id ?? '' }),
  ).rejects.toMatchObject({ code: 5 })
})

it('the operator reads wallets and starts recoveries, but cannot sign or export', async () => {
  expect((await world.operator.getWallets({ organizationId: ann.organizationId })).wallets).toHaveLength(1)
  await expect(world.operator.signRawPayload(sign('dc'))).rejects.toMatchObject({ code: 7 })
  await expect(
    world.operator.exportWallet({
      type: 'ACTIVITY_TYPE_EXPORT_WALLET',
      timestampMs: world.now(),
      organizationId: ann.organizationId,
      parameters: { walletId: ann.walletId, targetPublicKey: generateP256KeyPair().publicKeyUncompressed },
    }),
  ).rejects.toMatchObject({ code: 7 })
})

it('a recovery key only recovers, for at most 900 s', async () => {
  const embedded = generateP256KeyPair()
  const begin = () =>
    world.operator.initUserEmailRecovery({
      type: 'ACTIVITY_TYPE_INIT_USER_EMAIL_RECOVERY_V2',
      timestampMs: world.now(),
      organizationId: ben.organizationId,
      parameters: {
        email: ben.email,
        targetPublicKey: embedded.publicKeyUncompressed,
        emailCustomization: { appName: 'Keybay' },
      },
    })
  await begin()
  const mail = await (await fetch(`${world.inbox.url}/api/messages/latest?to=${ben.email}&wait=20000`)).json()
  const code = /^[1-9A-HJ-NP-Za-km-z]{80,}$/m.exec(mail.text)?.[0] ?? ''
  // Only the page that requested the code can open it.
  expect(() => decryptCredentialBundle(code, generateP256KeyPair().privateKey)).toThrow()
  const privateKey = decryptCredentialBundle(code, embedded.privateKey)
  const publicKey = Buffer.from(getPublicKey(Buffer.from(privateKey, 'hex'), true)).toString('hex')
  const client = apiClient(world.custody.internalUrl, { publicKey, privateKey })
  await expect(client.signRawPayload(sign('ea', ben))).rejects.toMatchObject({ code: 7 })
  await expect(client.getWallets({ organizationId: ben.organizationId })).rejects.toMatchObject({ code: 7 })
  await expect(
    client.createAuthenticators({
      type: 'ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2',
      timestampMs: world.now(),
      organizationId: ben.organizationId,
      parameters: { userId: ben.userId, authenticators: [attest(newAuthenticator(RP_ID))] },
    }),
  ).rejects.toMatchObject({ code: 7 })
  // The permission check refuses the request before the parameters are validated.
  for (const { path, types } of kinds.filter(kind => kind.path !== 'recover_user')) {
    const body = { type: types[0], timestampMs: world.now(), organizationId: ben.organizationId, parameters: {} }
    await expect(client.request(`/public/v1/submit/${path}`, body), path).rejects.toMatchObject({ code: 7 })
  }
  // A recovery key may only query its own identity.
  expect(queries.filter(query => query.whileRecovering).map(({ path }) => path)).toEqual([
    'whoami',
    'get_user',
    'get_activity',
  ])
  for (const { path } of queries.filter(query => !query.whileRecovering))
    await expect(
      client.request(`/public/v1/query/${path}`, { organizationId: ben.organizationId }),
      path,
    ).rejects.toMatchObject({ code: 7 })
  world.custody.clock.advance(900_000)
  await expect(client.getWhoami({ organizationId: ben.organizationId })).rejects.toMatchObject({
    code: 16,
    details: [{ turnkeyErrorCode: 'API_KEY_EXPIRED' }],
  })
})

it('custody refuses to delete the last credential of a root user, which would lock the wallet forever', async () => {
  const person = await world.person()
  const { client, organizationId, userId } = person
  const base = () => ({ timestampMs: world.now(), organizationId })
  const key = generateP256KeyPair()
  const made = await client.createApiKeys({
    ...base(),
    type: 'ACTIVITY_TYPE_CREATE_API_KEYS_V2',
    parameters: {
      userId,
      apiKeys: [{ apiKeyName: 'Server', publicKey: key.publicKey, curveType: 'API_KEY_CURVE_P256' }],
    },
  })
  const apiKeyIds = made.activity.result.createApiKeysResult?.apiKeyIds ?? []
  const byKey = apiClient(world.custody.internalUrl, key)
  const { user } = await client.getUser({ organizationId, userId })
  const authenticatorIds = user.authenticators.map(({ authenticatorId }) => authenticatorId)
  const deletePasskey = (by: typeof client) =>
    by.deleteAuthenticators({
      ...base(),
      type: 'ACTIVITY_TYPE_DELETE_AUTHENTICATORS',
      parameters: { userId, authenticatorIds },
    })
  const deleteKey = (by: typeof client) =>
    by.deleteApiKeys({ ...base(), type: 'ACTIVITY_TYPE_DELETE_API_KEYS', parameters: { userId, apiKeyIds } })
  await expect(deletePasskey(byKey)).rejects.toMatchObject({ code: 7 })
  await expect(deleteKey(byKey)).rejects.toMatchObject({ code: 7 })
  await deleteKey(client)
  await expect(deletePasskey(client)).rejects.toMatchObject({ code: 9 })
  expect(await client.getWhoami({ organizationId })).toMatchObject({ userId })
  // A key that expires does not count as the last credential.
  const other = await world.person()
  await world.session(other, 60)
  const theirs = { organizationId: other.organizationId, userId: other.userId }
  const [passkey] = (await other.client.getUser(theirs)).user.authenticators
  await expect(
    other.client.deleteAuthenticators({
      type: 'ACTIVITY_TYPE_DELETE_AUTHENTICATORS',
      timestampMs: world.now(),
      organizationId: other.organizationId,
      parameters: { userId: other.userId, authenticatorIds: [passkey?.authenticatorId ?? ''] },
    }),
  ).rejects.toMatchObject({ code: 9 })
})

it('custody refuses a request whose policy takes too many steps to evaluate, so other requests are not blocked', async () => {
  const person = await world.person()
  const { organizationId } = person
  const base = { timestampMs: world.now(), organizationId }
  const key = generateP256KeyPair()
  await person.client.createUsers({
    ...base,
    type: 'ACTIVITY_TYPE_CREATE_USERS_V4',
    parameters: {
      users: [
        {
          userName: 'Helper',
          userTags: [],
          apiKeys: [{ apiKeyName: 'Key', publicKey: key.publicKey, curveType: 'API_KEY_CURVE_P256' }],
          authenticators: [],
          oauthProviders: [],
        },
      ],
    },
  })
  // 64 payloads compared with each other, eight levels deep: 64^8 steps.
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
  const condition = names.reduceRight(
    (inner, name) => `activity.params.payloads.any(${name}, ${inner})`,
    "activity.action == 'EXPORT'",
  )
  await person.client.createPolicy({
    ...base,
    type: 'ACTIVITY_TYPE_CREATE_POLICY_V3',
    parameters: { policyName: 'Long', effect: 'EFFECT_ALLOW', condition, consensus: '', notes: '' },
  })
  const helper = apiClient(world.custody.internalUrl, key)
  const asked = helper.signRawPayloads({
    type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOADS',
    timestampMs: world.now(),
    organizationId,
    parameters: {
      signWith: person.addresses[0],
      payloads: Array.from({ length: 64 }, () => 'aa'),
      encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
      hashFunction: 'HASH_FUNCTION_NOT_APPLICABLE',
    },
  })
  await expect(asked).rejects.toMatchObject({ code: 3, details: [{ turnkeyErrorCode: 'POLICY_INVALID' }] })
})

it('an export bundle opens only with its own key, organisation and signer', async () => {
  const target = generateP256KeyPair()
  const { activity } = await ann.client.exportWallet({
    type: 'ACTIVITY_TYPE_EXPORT_WALLET',
    timestampMs: world.now(),
    organizationId: ann.organizationId,
    parameters: { walletId: ann.walletId, targetPublicKey: target.publicKeyUncompressed },
  })
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

it('custody sends no readable response to a foreign page', async () => {
  const signed = await ann.client.stampGetWhoami({ organizationId: ann.organizationId })
  if (!signed) throw new Error('not stamped')
  const { status, answer } = await send('/public/v1/query/whoami', signed, { origin: 'http://evil.localhost:4000' })
  expect([status, answer.code]).toEqual([403, 7])
})

it.each([
  ['no stamp', {}],
  ['not base64', { 'x-stamp': '{}' }],
  [
    'another scheme',
    { 'x-stamp': Buffer.from('{"publicKey":"02","scheme":"X","signature":"00"}').toString('base64url') },
  ],
  ['an empty passkey stamp', { 'x-stamp-webauthn': '{}' }],
])('custody refuses a read with an invalid stamp: %s', async (_, headers) => {
  const response = await fetch(`${world.custody.internalUrl}/public/v1/query/whoami`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ organizationId: ann.organizationId }),
  })
  expect(response.status).toBe(401)
  expect(await response.json()).toMatchObject({ code: 16, message: expect.any(String), details: [expect.any(Object)] })
})
