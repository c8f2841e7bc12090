/** Permissions of credentials: every kind of activity with every kind of credential, over Turnkey's own client. */

import { generateMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { encryptPrivateKeyToBundle, encryptWalletToBundle, generateP256KeyPair } from '@turnkey/crypto'
import type { TurnkeyClient } from '@turnkey/http'
import { Transaction } from 'micro-eth-signer'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { kinds } from '../src/activities/kinds.js'
import {
  apiKey,
  attest,
  COMPLETED,
  newTarget,
  openCredential,
  post,
  raw,
  SOLANA,
  startWorld,
  type User,
} from './world.js'

const ANY_KEY = ['session key', 'API key', 'passkey without verification', 'verified passkey'] as const
const CREDENTIALS = [...ANY_KEY, 'recovery key'] as const
type CredentialName = (typeof CREDENTIALS)[number]

const world = await startWorld()
afterAll(() => world.stop())

interface Scene {
  readonly user: User
  readonly by: Readonly<Record<CredentialName, () => TurnkeyClient>>
  /** API key that may be deleted, and a private key. */
  readonly spareKeyId: string
  readonly sparePasskeyId: string
  readonly privateKeyId: string
  readonly policyId: string
}
interface Activity {
  readonly status: string
  readonly result: Record<string, Record<string, unknown>>
}

async function send(client: TurnkeyClient, user: User, path: string, parameters: unknown): Promise<Activity> {
  const [type = ''] = kinds.find(kind => kind.path === path)?.types ?? []
  const answer: { activity: Activity } = await client.request(
    `/public/v1/submit/${path}`,
    user.request(type, parameters),
  )
  return answer.activity
}

function idIn(value: unknown): string {
  return Array.isArray(value) ? String(value[0]) : ''
}

async function getSession({ client, request }: User) {
  const page = generateP256KeyPair()
  const parameters = { targetPublicKey: page.publicKeyUncompressed }
  const type = 'ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION_V2'
  const { activity } = await client.createReadWriteSession(request(type, parameters))
  const { credentialBundle, apiKeyId = '' } = activity.result.createReadWriteSessionResultV2 ?? {}
  return { client: world.clientOf(openCredential(credentialBundle, page.privateKey)), apiKeyId }
}

function byPasskey({ client, authenticator }: User, isVerified: boolean): TurnkeyClient {
  authenticator.claims.isVerified = isVerified
  return client
}

function privateKey(privateKeyName: string) {
  return { privateKeys: [{ privateKeyName, curve: 'CURVE_ED25519' as const, privateKeyTags: [], addressFormats: [] }] }
}

async function setScene(): Promise<Scene> {
  const user = await world.user()
  const { client, userId, request } = user
  const lasting = generateP256KeyPair()
  await send(client, user, 'create_api_keys', { userId, apiKeys: [apiKey(lasting.publicKey)] })
  const spare = await send(client, user, 'create_api_keys', { userId, apiKeys: [apiKey()] })
  const passkey = await send(client, user, 'create_authenticators', { userId, authenticators: [attest()] })
  const made = await client.createPrivateKeys(request('ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', privateKey('Spare')))
  const rule = { policyName: 'Spare', effect: 'EFFECT_DENY', condition: 'false', notes: '' } as const
  const policy = await client.createPolicy(request('ACTIVITY_TYPE_CREATE_POLICY_V3', rule))
  const [session, recovering] = [await getSession(user), await world.recovering(user)]
  return {
    user,
    by: {
      'session key': () => session.client,
      'API key': () => world.clientOf(lasting),
      'passkey without verification': () => byPasskey(user, false),
      'verified passkey': () => byPasskey(user, true),
      'recovery key': () => recovering,
    },
    spareKeyId: idIn(spare.result.createApiKeysResult?.apiKeyIds),
    sparePasskeyId: idIn(passkey.result.createAuthenticatorsResult?.authenticatorIds),
    privateKeyId: made.activity.result.createPrivateKeysResultV2?.privateKeys[0]?.privateKeyId ?? '',
    policyId: policy.activity.result.createPolicyResult?.policyId ?? '',
  }
}

async function importWallet(user: User) {
  const bundle = { ...(await user.importKey()), mnemonic: generateMnemonic(wordlist) }
  const encryptedBundle = await encryptWalletToBundle(bundle)
  return { userId: user.userId, walletName: `Imported ${++fresh}`, encryptedBundle, accounts: [SOLANA] }
}

async function importPrivateKey(user: User) {
  const key = { privateKey: generateP256KeyPair().privateKey, keyFormat: 'HEXADECIMAL' as const }
  const encryptedBundle = await encryptPrivateKeyToBundle({ ...(await user.importKey()), ...key })
  const { userId } = user
  return { userId, privateKeyName: `Key ${++fresh}`, encryptedBundle, curve: 'CURVE_ED25519', addressFormats: [] }
}

let fresh = 0
const noCredentials = { authenticators: [], oauthProviders: [] }
const ETHEREUM_TRANSACTION = Transaction.prepare({
  to: '0xdf90dea0e0bf5ca6d2a7f0cb86874ba6714f463e',
  value: 1n,
  maxFeePerGas: 10n ** 9n,
  nonce: 0n,
}).toHex({ includeSignature: false })
const VERIFIED = ['verified passkey'] as const
/** Parameters of each kind, and the credentials allowed to run it. */
const TABLE: Readonly<Record<string, readonly [by: readonly CredentialName[], (scene: Scene) => unknown]>> = {
  sign_transaction: [
    ANY_KEY,
    ({ user: { addresses } }) => ({
      signWith: addresses[1],
      unsignedTransaction: ETHEREUM_TRANSACTION,
      type: 'TRANSACTION_TYPE_ETHEREUM',
    }),
  ],
  sign_raw_payload: [ANY_KEY, ({ user }) => raw(user.addresses[0], 'aa')],
  sign_raw_payloads: [
    ANY_KEY,
    ({ user }) => {
      const { payload, ...rest } = raw(user.addresses[0], 'aa')
      return { ...rest, payloads: [payload, 'ab'] }
    },
  ],
  create_wallet: [ANY_KEY, () => ({ walletName: `Wallet ${++fresh}`, accounts: [SOLANA] })],
  create_wallet_accounts: [
    ANY_KEY,
    ({ user: { walletId } }) => ({ walletId, accounts: [{ ...SOLANA, path: `m/44'/501'/${++fresh}'/0'` }] }),
  ],
  create_private_keys: [VERIFIED, () => privateKey(`Key ${++fresh}`)],
  export_wallet: [VERIFIED, ({ user: { walletId } }) => ({ walletId, targetPublicKey: newTarget() })],
  export_wallet_account: [VERIFIED, ({ user }) => ({ address: user.addresses[0], targetPublicKey: newTarget() })],
  export_private_key: [VERIFIED, ({ privateKeyId }) => ({ privateKeyId, targetPublicKey: newTarget() })],
  init_import_wallet: [VERIFIED, ({ user: { userId } }) => ({ userId })],
  import_wallet: [VERIFIED, ({ user }) => importWallet(user)],
  init_import_private_key: [VERIFIED, ({ user: { userId } }) => ({ userId })],
  import_private_key: [VERIFIED, ({ user }) => importPrivateKey(user)],
  create_sub_organization: [
    [],
    () => ({
      subOrganizationName: 'Child',
      rootQuorumThreshold: 1,
      rootUsers: [{ userName: 'Child', apiKeys: [apiKey()], ...noCredentials }],
    }),
  ],
  update_root_quorum: [VERIFIED, ({ user: { userId } }) => ({ threshold: 1, userIds: [userId] })],
  create_users: [
    VERIFIED,
    () => ({ users: [{ userName: 'Clerk', apiKeys: [apiKey()], userTags: [], ...noCredentials }] }),
  ],
  update_user_email: [VERIFIED, ({ user: { userId } }) => ({ userId, userEmail: `moved-${++fresh}@example.com` })],
  create_authenticators: [VERIFIED, ({ user: { userId } }) => ({ userId, authenticators: [attest()] })],
  delete_authenticators: [
    VERIFIED,
    ({ user: { userId }, sparePasskeyId }) => ({ userId, authenticatorIds: [sparePasskeyId] }),
  ],
  create_api_keys: [VERIFIED, ({ user: { userId } }) => ({ userId, apiKeys: [apiKey()] })],
  delete_api_keys: [VERIFIED, ({ user: { userId }, spareKeyId }) => ({ userId, apiKeyIds: [spareKeyId] })],
  create_read_write_session: [
    ['passkey without verification', 'verified passkey'],
    () => ({ targetPublicKey: newTarget() }),
  ],
  init_user_email_recovery: [[], ({ user: { email } }) => ({ email, targetPublicKey: newTarget() })],
  recover_user: [['recovery key'], ({ user: { userId } }) => ({ userId, authenticator: attest() })],
  create_policy: [
    VERIFIED,
    () => ({ policyName: `Policy ${++fresh}`, effect: 'EFFECT_ALLOW', condition: 'true', consensus: '', notes: '' }),
  ],
  delete_policy: [VERIFIED, ({ policyId }) => ({ policyId })],
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
    for (const name of refused) {
      const sent = await parameters?.(scene)
      await expect(send(scene.by[name](), scene.user, path, sent), name).rejects.toMatchObject({
        code: 7,
        details: [expect.objectContaining({ turnkeyErrorCode: 'PERMISSION_DENIED' })],
      })
    }
    for (const name of allowed) {
      const sent = await parameters?.(scene)
      const { status } = await send(scene.by[name](), scene.user, path, sent)
      expect([name, status]).toEqual([name, COMPLETED])
    }
  })

  it('custody refuses an altered request by its stamp before it checks the credential', async () => {
    const user = await world.user()
    const signed = await byPasskey(user, true).stampExportWallet(user.exportRequest())
    const altered = signed && { ...signed, body: signed.body.replace(/"04[0-9a-f]{128}"/, `"${newTarget()}"`) }
    expect((await post(world.custody.internalUrl, 'submit/export_wallet', altered)).status).toBe(401)
  })
})

it('[S1.14] a recovery key adds one passkey, once, for its own user', async () => {
  const scene = await setScene()
  const { user, by } = scene
  const recover = (userId = user.userId) =>
    send(by['recovery key'](), user, 'recover_user', { userId, authenticator: attest() })
  const clerk = await send(byPasskey(user, true), user, 'create_users', TABLE.create_users?.[1]?.(scene))
  await expect(recover(idIn(clerk.result.createUsersResult?.userIds))).rejects.toMatchObject({ code: 7 })
  const outcomes = await Promise.allSettled([recover(), recover(), recover()])
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  await expect(recover()).rejects.toMatchObject({ code: 7 })
})

it('a session key can delete itself but no other credential, and does nothing afterwards', async () => {
  const user = await world.user()
  const [session, other] = [await getSession(user), await getSession(user)]
  const { userId, organizationId } = user
  const end = (apiKeyIds: readonly string[]) => send(session.client, user, 'delete_api_keys', { userId, apiKeyIds })
  for (const apiKeyIds of [[other.apiKeyId], [session.apiKeyId, other.apiKeyId]])
    await expect(end(apiKeyIds)).rejects.toMatchObject({ code: 7 })
  expect((await end([session.apiKeyId])).status).toBe(COMPLETED)
  await expect(session.client.getWhoami({ organizationId })).rejects.toMatchObject({ code: 16 })
  expect(await other.client.getWhoami({ organizationId })).toMatchObject({ userId })
})

it('a page script cannot extend a session key: no export, no permanent key, no longer session', async () => {
  const user = await world.user()
  const { client } = await getSession(user)
  const { organizationId, userId, walletId } = user
  const attempts = {
    export_wallet: { walletId, targetPublicKey: newTarget() },
    create_api_keys: { userId, apiKeys: [apiKey()] },
    create_authenticators: { userId, authenticators: [attest()] },
    create_read_write_session: { targetPublicKey: newTarget(), expirationSeconds: '2592000' },
    update_user_email: { userId, userEmail: 'thief@example.com' },
  }
  for (const [path, parameters] of Object.entries(attempts))
    await expect(send(client, user, path, parameters), path).rejects.toMatchObject({ code: 7 })
  const after = (await client.getWallets({ organizationId })).wallets
  expect(after.map(({ exported }) => exported)).toEqual([false])
})
