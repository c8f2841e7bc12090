/** Permissions of credentials: every kind of activity with every kind of credential, over Turnkey's own client. */
import { newAuthenticator } from '@keybay/sandbox-tools/testing/software-authenticator'
import { decryptCredentialBundle, generateP256KeyPair, getPublicKey } from '@turnkey/crypto'
import type { TurnkeyClient } from '@turnkey/http'
import { Transaction } from 'micro-eth-signer'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { kinds } from '../src/activities/kinds.js'
import { apiClient, attest, type Person, RP_ID, SOLANA, startWorld, type World } from './world.js'

const CREDENTIALS = [
  'session key',
  'API key',
  'passkey without verification',
  'verified passkey',
  'recovery key',
] as const
type CredentialName = (typeof CREDENTIALS)[number]

let world: World
beforeAll(async () => {
  world = await startWorld()
}, 120_000)
afterAll(() => world.stop())

function target() {
  return generateP256KeyPair().publicKeyUncompressed
}

function getKey(privateKey: string) {
  return { privateKey, publicKey: Buffer.from(getPublicKey(Buffer.from(privateKey, 'hex'), true)).toString('hex') }
}

function newKey() {
  const { publicKey } = generateP256KeyPair()
  return { apiKeyName: 'Key', publicKey, curveType: 'API_KEY_CURVE_P256' as const }
}

interface Scene {
  readonly person: Person
  readonly by: Readonly<Record<CredentialName, () => TurnkeyClient>>
  /** API key that may be deleted, and a private key. */
  readonly spareKeyId: string
  readonly sparePasskeyId: string
  readonly privateKeyId: string
  readonly policyId: string
}

function request<P>(person: Person, type: string, parameters: P) {
  return { type, timestampMs: world.now(), organizationId: person.organizationId, parameters }
}

async function send(client: TurnkeyClient, person: Person, path: string, parameters: unknown, organizationId?: string) {
  const [type = ''] = kinds.find(kind => kind.path === path)?.types ?? []
  const body = { ...request(person, type, parameters), ...(organizationId && { organizationId }) }
  const { activity } = await client.request<
    typeof body,
    { activity: { id: string; status: string; fingerprint: string; result: Record<string, Record<string, unknown>> } }
  >(`/public/v1/submit/${path}`, body)
  return activity
}

function idIn(value: unknown): string {
  return Array.isArray(value) ? String(value[0]) : ''
}

async function getSession(person: Person) {
  const embedded = generateP256KeyPair()
  const { activity } = await person.client.createReadWriteSession({
    ...request(person, '', { targetPublicKey: embedded.publicKeyUncompressed }),
    type: 'ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION_V2',
  })
  const { credentialBundle = '', apiKeyId = '' } = activity.result.createReadWriteSessionResultV2 ?? {}
  const client = apiClient(
    world.custody.internalUrl,
    getKey(decryptCredentialBundle(credentialBundle, embedded.privateKey)),
  )
  return { client, apiKeyId }
}

async function getRecovery({ organizationId, email }: Person): Promise<TurnkeyClient> {
  const embedded = generateP256KeyPair()
  await world.operator.initUserEmailRecovery({
    type: 'ACTIVITY_TYPE_INIT_USER_EMAIL_RECOVERY_V2',
    timestampMs: world.now(),
    organizationId,
    parameters: { email, targetPublicKey: embedded.publicKeyUncompressed, emailCustomization: { appName: 'Keybay' } },
  })
  const mail = await (await fetch(`${world.inbox.url}/api/messages/latest?to=${email}&wait=20000`)).json()
  const code = /^[1-9A-HJ-NP-Za-km-z]{80,}$/m.exec(mail.text)?.[0] ?? ''
  return apiClient(world.custody.internalUrl, getKey(decryptCredentialBundle(code, embedded.privateKey)))
}

function unverified(person: Person): TurnkeyClient {
  person.authenticator.claims.isVerified = false
  return person.client
}

function verified(person: Person): TurnkeyClient {
  person.authenticator.claims.isVerified = true
  return person.client
}

async function setScene(): Promise<Scene> {
  const person = await world.person()
  const { client, userId } = person
  const lasting = generateP256KeyPair()
  const apiKey = { ...newKey(), publicKey: lasting.publicKey }
  await send(client, person, 'create_api_keys', { userId, apiKeys: [apiKey] })
  const spare = await send(client, person, 'create_api_keys', { userId, apiKeys: [newKey()] })
  const passkey = await send(client, person, 'create_authenticators', {
    userId,
    authenticators: [attest(newAuthenticator(RP_ID))],
  })
  const made = await client.createPrivateKeys({
    ...request(person, '', {
      privateKeys: [
        { privateKeyName: 'Spare', curve: 'CURVE_ED25519' as const, privateKeyTags: [], addressFormats: [] },
      ],
    }),
    type: 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2',
  })
  const policy = await client.createPolicy({
    ...request(person, '', { policyName: 'Spare', effect: 'EFFECT_DENY' as const, condition: 'false', notes: '' }),
    type: 'ACTIVITY_TYPE_CREATE_POLICY_V3',
  })
  const [session, recovery] = [await getSession(person), await getRecovery(person)]
  return {
    person,
    by: {
      'session key': () => session.client,
      'API key': () => apiClient(world.custody.internalUrl, lasting),
      'passkey without verification': () => unverified(person),
      'verified passkey': () => verified(person),
      'recovery key': () => recovery,
    },
    spareKeyId: idIn(spare.result.createApiKeysResult?.apiKeyIds),
    sparePasskeyId: idIn(passkey.result.createAuthenticatorsResult?.authenticatorIds),
    privateKeyId: made.activity.result.createPrivateKeysResultV2?.privateKeys[0]?.privateKeyId ?? '',
    policyId: policy.activity.result.createPolicyResult?.policyId ?? '',
  }
}

const ANY_KEY: readonly CredentialName[] = [
  'session key',
  'API key',
  'passkey without verification',
  'verified passkey',
]
const how = { encoding: 'PAYLOAD_ENCODING_HEXADECIMAL', hashFunction: 'HASH_FUNCTION_NOT_APPLICABLE' }
let fresh = 0
const ETHEREUM_TRANSACTION = Transaction.prepare({
  to: '0xdf90dea0e0bf5ca6d2a7f0cb86874ba6714f463e',
  value: 1n,
  maxFeePerGas: 10n ** 9n,
  nonce: 0n,
}).toHex({ includeSignature: false })
/** Parameters of each kind, and the credentials allowed to run it. */
const TABLE: Readonly<Record<string, readonly [by: readonly CredentialName[], (scene: Scene) => unknown]>> = {
  sign_transaction: [
    ANY_KEY,
    ({ person }) => ({
      signWith: person.addresses[1],
      unsignedTransaction: ETHEREUM_TRANSACTION,
      type: 'TRANSACTION_TYPE_ETHEREUM',
    }),
  ],
  sign_raw_payload: [ANY_KEY, ({ person }) => ({ signWith: person.addresses[0], payload: 'aa', ...how })],
  sign_raw_payloads: [ANY_KEY, ({ person }) => ({ signWith: person.addresses[0], payloads: ['aa', 'ab'], ...how })],
  create_wallet: [ANY_KEY, () => ({ walletName: `Wallet ${++fresh}`, accounts: [SOLANA] })],
  create_wallet_accounts: [
    ANY_KEY,
    ({ person }) => ({ walletId: person.walletId, accounts: [{ ...SOLANA, path: `m/44'/501'/${++fresh}'/0'` }] }),
  ],
  create_private_keys: [
    ['verified passkey'],
    () => ({
      privateKeys: [
        { privateKeyName: `Key ${++fresh}`, curve: 'CURVE_ED25519', privateKeyTags: [], addressFormats: [] },
      ],
    }),
  ],
  export_wallet: [['verified passkey'], ({ person }) => ({ walletId: person.walletId, targetPublicKey: target() })],
  export_wallet_account: [
    ['verified passkey'],
    ({ person }) => ({ address: person.addresses[0], targetPublicKey: target() }),
  ],
  export_private_key: [['verified passkey'], ({ privateKeyId }) => ({ privateKeyId, targetPublicKey: target() })],
  create_sub_organization: [
    [],
    () => ({
      subOrganizationName: 'Child',
      rootQuorumThreshold: 1,
      rootUsers: [{ userName: 'Child', apiKeys: [newKey()], authenticators: [], oauthProviders: [] }],
    }),
  ],
  update_root_quorum: [['verified passkey'], ({ person }) => ({ threshold: 1, userIds: [person.userId] })],
  create_users: [
    ['verified passkey'],
    () => ({
      users: [{ userName: 'Clerk', apiKeys: [newKey()], authenticators: [], oauthProviders: [], userTags: [] }],
    }),
  ],
  update_user_email: [
    ['verified passkey'],
    ({ person }) => ({ userId: person.userId, userEmail: `moved-${++fresh}@example.com` }),
  ],
  create_authenticators: [
    ['verified passkey'],
    ({ person }) => ({ userId: person.userId, authenticators: [attest(newAuthenticator(RP_ID))] }),
  ],
  delete_authenticators: [
    ['verified passkey'],
    ({ person, sparePasskeyId }) => ({ userId: person.userId, authenticatorIds: [sparePasskeyId] }),
  ],
  create_api_keys: [['verified passkey'], ({ person }) => ({ userId: person.userId, apiKeys: [newKey()] })],
  delete_api_keys: [
    ['verified passkey'],
    ({ person, spareKeyId }) => ({ userId: person.userId, apiKeyIds: [spareKeyId] }),
  ],
  create_read_write_session: [
    ['passkey without verification', 'verified passkey'],
    () => ({ targetPublicKey: target() }),
  ],
  init_user_email_recovery: [[], ({ person }) => ({ email: person.email, targetPublicKey: target() })],
  recover_user: [
    ['recovery key'],
    ({ person }) => ({ userId: person.userId, authenticator: attest(newAuthenticator(RP_ID)) }),
  ],
  create_policy: [
    ['verified passkey'],
    () => ({ policyName: `Policy ${++fresh}`, effect: 'EFFECT_ALLOW', condition: 'true', consensus: '', notes: '' }),
  ],
  delete_policy: [['verified passkey'], ({ policyId }) => ({ policyId })],
}
it('the permission table covers every kind of activity; votes need the permissions of their activity', () => {
  const votes = ['approve_activity', 'reject_activity']
  expect(kinds.map(({ path }) => path).sort()).toEqual([...Object.keys(TABLE), ...votes].sort())
})

describe('[S1.14] [S9.3] a key reads, makes wallets and accounts, and signs; all else needs a passkey that has verified its user', () => {
  let scene: Scene
  beforeAll(async () => {
    scene = await setScene()
  }, 120_000)

  it.each(Object.keys(TABLE))('%s accepts only the credentials that the permission table allows', async path => {
    const [allowed = [], parameters] = TABLE[path] ?? []
    // Test the refused credentials first: an allowed credential may use up the resource.
    const refused = CREDENTIALS.filter(name => !allowed.includes(name))
    for (const name of refused)
      await expect(send(scene.by[name](), scene.person, path, parameters?.(scene)), name).rejects.toMatchObject({
        code: 7,
        details: [expect.objectContaining({ turnkeyErrorCode: 'PERMISSION_DENIED' })],
      })
    for (const name of allowed) {
      const { status } = await send(scene.by[name](), scene.person, path, parameters?.(scene))
      expect([name, status]).toEqual([name, 'ACTIVITY_STATUS_COMPLETED'])
    }
  })

  it('custody refuses an altered request by its stamp before it checks the credential', async () => {
    const { person } = await setScene()
    const signed = await verified(person).stampExportWallet({
      ...request(person, '', { walletId: person.walletId, targetPublicKey: target() }),
      type: 'ACTIVITY_TYPE_EXPORT_WALLET',
    })
    const altered = signed?.body.replace(/"04[0-9a-f]{128}"/, `"${target()}"`) ?? ''
    const { stampHeaderName = '', stampHeaderValue = '' } = signed?.stamp ?? {}
    const response = await fetch(`${world.custody.internalUrl}/public/v1/submit/export_wallet`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [stampHeaderName]: stampHeaderValue },
      body: altered,
    })
    expect(response.status).toBe(401)
  })
})

it('[S1.14] a recovery key adds one passkey, once, for its own user', async () => {
  const { person, by } = await setScene()
  const recover = (userId = person.userId) =>
    send(by['recovery key'](), person, 'recover_user', { userId, authenticator: attest(newAuthenticator(RP_ID)) })
  const clerk = await send(verified(person), person, 'create_users', TABLE.create_users?.[1]?.(await setScene()))
  await expect(recover(idIn(clerk.result.createUsersResult?.userIds))).rejects.toMatchObject({ code: 7 })
  const outcomes = await Promise.allSettled([recover(), recover(), recover()])
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  await expect(recover()).rejects.toMatchObject({ code: 7 })
})

it('a session key can delete itself but no other credential, and does nothing afterwards', async () => {
  const { person } = await setScene()
  const [own, other] = [await getSession(person), await getSession(person)]
  const { userId, organizationId } = person
  const end = (apiKeyIds: readonly string[]) => send(own.client, person, 'delete_api_keys', { userId, apiKeyIds })
  for (const apiKeyIds of [[other.apiKeyId], [own.apiKeyId, other.apiKeyId]])
    await expect(end(apiKeyIds)).rejects.toMatchObject({ code: 7 })
  expect((await end([own.apiKeyId])).status).toBe('ACTIVITY_STATUS_COMPLETED')
  await expect(own.client.getWhoami({ organizationId })).rejects.toMatchObject({ code: 16 })
  expect(await other.client.getWhoami({ organizationId })).toMatchObject({ userId })
})

it('a page script cannot extend a session key: no export, no permanent key, no longer session', async () => {
  const person = await world.person()
  const { client } = await getSession(person)
  const { userId } = await client.getWhoami({ organizationId: person.organizationId })
  const { wallets } = await client.getWallets({ organizationId: person.organizationId })
  const walletId = wallets[0]?.walletId ?? ''
  const attempts = {
    export_wallet: { walletId, targetPublicKey: target() },
    create_api_keys: { userId, apiKeys: [newKey()] },
    create_authenticators: { userId, authenticators: [attest(newAuthenticator(RP_ID))] },
    create_read_write_session: { targetPublicKey: target(), expirationSeconds: '2592000' },
    update_user_email: { userId, userEmail: 'thief@example.com' },
  }
  for (const [path, parameters] of Object.entries(attempts))
    await expect(send(client, person, path, parameters), path).rejects.toMatchObject({ code: 7 })
  const after = (await client.getWallets({ organizationId: person.organizationId })).wallets
  expect(after.map(({ exported }) => exported)).toEqual([false])
})
