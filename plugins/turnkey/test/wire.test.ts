// @vitest-environment happy-dom
/** What goes over the wire, and what the page hears when the service does not do it. */
import { Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js'
import { generateP256KeyPair } from '@turnkey/crypto'
import { TurnkeyClient } from '@turnkey/http'
import { WebauthnStamper } from '@turnkey/webauthn-stamper'
import bs58 from 'bs58'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { type Device, installDevice } from './browser.js'
import { accountOn, codeIn, createHost, type Host, type HostOptions, sign, signIn } from './host.js'
import { type Recorder, startRecorder } from './recorder.js'
import { startWorld, type World } from './world.js'

let world: World
let recorder: Recorder
let device: Device
beforeAll(async () => {
  world = await startWorld()
  recorder = await startRecorder(world.custodyUrl)
})
afterAll(async () => {
  recorder.stop()
  await world.stop()
})
let hosts: Host[] = []
beforeEach(() => {
  device = installDevice()
})
afterEach(() => {
  for (const host of hosts) host.dispose()
  hosts = []
  device.remove()
  localStorage.clear()
})

const withWallet = async (options: HostOptions = {}, where = world) => {
  const keybay = createHost(where, options)
  hosts.push(keybay)
  const address = await signIn(where, keybay)
  const [wallet] = await keybay.turnkey.createWallet()
  await keybay.connect('turnkey')
  const organizationId = wallet?.walletProperties?.turnkeySubOrganizationId ?? ''
  const client = new TurnkeyClient({ baseUrl: where.custodyUrl }, new WebauthnStamper({ rpId: location.hostname }))
  const request = <T extends string, P>(type: T, parameters: P) => ({
    type,
    timestampMs: String(Date.now()),
    organizationId,
    parameters,
  })
  return { keybay, address, organizationId, client, request }
}

it('[S7.5] the ten calls: their paths, a stamp over the body, the client’s version', async () => {
  const { keybay, address, organizationId, client, request } = await withWallet({ baseUrl: recorder.url })
  const sol = accountOn(keybay, 'solana:')
  const key = new PublicKey(sol.address)
  const transaction = new Transaction({
    feePayer: key,
    blockhash: bs58.encode(Buffer.alloc(32, 7)),
    lastValidBlockHeight: 1,
  }).add(SystemProgram.transfer({ fromPubkey: key, toPubkey: Keypair.generate().publicKey, lamports: 1 }))
  const [signed] = await keybay.connectors.get('turnkey').wallet.features['solana:signTransaction'].signTransaction({
    account: sol,
    transaction: new Uint8Array(transaction.serialize({ requireAllSignatures: false })),
  })
  expect(Transaction.from(signed?.signedTransaction ?? []).verifySignatures()).toBe(true)
  await sign(keybay, 'one')
  await sign(keybay, 'one', 'two')
  await keybay.turnkey.addPasskey('Second')
  const target = { targetPublicKey: generateP256KeyPair().publicKeyUncompressed }
  const { wallets } = await client.getWallets({ organizationId })
  await keybay.turnkey.exportWallet(wallets[0]?.walletId ?? '', target)
  await keybay.turnkey.exportWalletAccount(sol.address, target)
  const made = await client.createPrivateKeys(
    request('ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
      privateKeys: [{ privateKeyName: 'Key', curve: 'CURVE_ED25519' as const, privateKeyTags: [], addressFormats: [] }],
    }),
  )
  const keyId = made.activity.result.createPrivateKeysResultV2?.privateKeys[0]?.privateKeyId ?? ''
  await keybay.turnkey.exportPrivateKey(keyId, target)
  const { id } = await world.mailTo(address)
  const { recoveryUserId = '' } = await keybay.turnkey.beginRecovery()
  const code = codeIn((await world.mailTo(address, id)).text)
  await keybay.turnkey.completeRecovery({ code, recoveryUserId, email: address })
  await keybay.turnkey.updateEmail('new-address@example.com')
  await keybay.turnkey.user()

  const { requests } = recorder
  expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual(
    expect.arrayContaining([
      'POST /public/v1/submit/recover_user',
      'POST /public/v1/submit/create_authenticators',
      'POST /public/v1/submit/update_user_email',
      'POST /public/v1/query/get_user',
      'POST /public/v1/submit/export_private_key',
      'POST /public/v1/submit/export_wallet',
      'POST /public/v1/submit/export_wallet_account',
      'POST /public/v1/submit/sign_transaction',
      'POST /public/v1/submit/sign_raw_payload',
      'POST /public/v1/submit/sign_raw_payloads',
    ]),
  )
  for (const { path, headers } of requests) {
    expect(headers['content-type']).toBe('application/json')
    expect(headers['x-client-version']).toMatch(/^@turnkey\/http@/)
    if (path.endsWith('/create_read_write_session')) {
      expect(JSON.parse(String(headers['x-stamp-webauthn']))).toHaveProperty('clientDataJson')
      continue
    }
    const stamp = JSON.parse(Buffer.from(String(headers['x-stamp']), 'base64url').toString())
    expect(Object.keys(stamp).sort()).toEqual(['publicKey', 'scheme', 'signature'])
    expect(stamp.scheme).toBe('SIGNATURE_SCHEME_TK_API_P256')
  }
})

it('[S8.7] says that the base URL is missing', async () => {
  const { keybay } = await withWallet({ baseUrl: '' })
  await expect(sign(keybay, 'x')).rejects.toMatchObject({
    code: 'custody_base_url_missing',
    message: 'Missing base URL. Please verify env vars.',
  })
})

it('[S8.7] says what the service refused, with its code, message and details', async () => {
  const { keybay } = await withWallet()
  await expect(keybay.turnkey.addAccount({ chain: 'SOL', path: 'm/44/1' })).rejects.toMatchObject({
    code: 'custody_request_failed',
    details: { code: 3, message: expect.stringContaining('invalid request'), details: [expect.any(Object)] },
  })
})

it('[S8.7] says that an activity waits for consent', async () => {
  const { keybay, client, request } = await withWallet()
  const { userId } = await keybay.turnkey.user()
  const { publicKey } = generateP256KeyPair()
  const { activity } = await client.createUsers(
    request('ACTIVITY_TYPE_CREATE_USERS_V4', {
      users: [
        {
          userName: 'Second',
          apiKeys: [{ apiKeyName: 'Key', publicKey, curveType: 'API_KEY_CURVE_P256' as const }],
          authenticators: [],
          oauthProviders: [],
          userTags: [],
        },
      ],
    }),
  )
  const [second = ''] = activity.result.createUsersResult?.userIds ?? []
  await client.updateRootQuorum(
    request('ACTIVITY_TYPE_UPDATE_ROOT_QUORUM', { threshold: 2, userIds: [userId, second] }),
  )
  await expect(sign(keybay, 'needs both')).rejects.toMatchObject({
    code: 'custody_consensus_needed',
    message: 'Activity requires consensus',
    details: { activityId: expect.any(String), fingerprint: expect.stringMatching(/^sha256:/) },
  })
})

it('[S8.7] polls an activity to its end, and names a status that is not COMPLETED', async () => {
  const slow = await startWorld({ patience: 0 })
  try {
    const { keybay } = await withWallet({}, slow)
    await slow.asked()
    // Polled to its end.
    expect(await sign(keybay, 'slowly')).toHaveLength(1)
    expect((await slow.asked()).at(-1)).toBe('/public/v1/query/get_activity')
    await expect(keybay.turnkey.addAccount({ chain: 'SOL', path: "m/44'/501'/0'/0'" })).rejects.toMatchObject({
      code: 'custody_status_unexpected',
      message: 'Expected COMPLETED status, got ACTIVITY_STATUS_FAILED',
    })
  } finally {
    await slow.stop()
  }
})
