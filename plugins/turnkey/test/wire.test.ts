// @vitest-environment happy-dom
/** Tests the requests on the wire, and the page's errors when the service rejects them. */
import { createHash, createPublicKey, ECDH, verify } from 'node:crypto'
import { fakeClock } from '@keybay/kernel/testing'
import { Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js'
import { generateP256KeyPair } from '@turnkey/crypto'
import bs58 from 'bs58'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { type Answer, type Recorded, type Recorder, startRecorder } from './recorder.js'
import { accountOn, type Host, setUpWorld, sign, startWorld } from './support.js'

const setup = setUpWorld()
const { withWallet } = setup
let recorder: Recorder
beforeAll(async () => {
  recorder = await startRecorder(setup.world.custodyUrl)
})
afterAll(() => recorder.stop())
afterEach(() => {
  recorder.change = (_path, answer) => answer
})

function getStamp({ headers }: Recorded) {
  return JSON.parse(Buffer.from(String(headers['x-stamp']), 'base64url').toString())
}
/** Verifies ECDSA P-256 over the exact bytes of the body. */
function isSigned(request: Recorded): boolean {
  const { publicKey, signature } = getStamp(request)
  const point = Buffer.from(String(ECDH.convertKey(publicKey, 'prime256v1', 'hex', 'hex', 'uncompressed')), 'hex')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map(half => half.toString('base64url'))
  const key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
  return verify('sha256', Buffer.from(request.body), key, Buffer.from(signature, 'hex'))
}
/** Returns the challenge that a passkey's stamp signs: the UTF-8 of hex(sha256(body)). */
function getChallenge({ body }: Recorded): string {
  return Buffer.from(createHash('sha256').update(body).digest('hex')).toString('base64url')
}

function getName({ path }: Recorded): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
/** Requests that a session key can't authorize. */
const BY_PASSKEY =
  /\/(create_read_write_session|create_authenticators|update_user_email|export_(wallet|wallet_account|private_key))$/

it('[S3.4] [S7.5] the ten custody calls have their paths, a stamp over the body, and the client’s version', async () => {
  const { keybay, address, organizationId, client, request } = await withWallet({ baseUrl: recorder.url })
  const sol = accountOn(keybay, 'solana:')
  const key = new PublicKey(sol.address)
  const transaction = new Transaction({
    feePayer: key,
    blockhash: bs58.encode(Buffer.alloc(32, 7)),
    lastValidBlockHeight: 1,
  }).add(SystemProgram.transfer({ fromPubkey: key, toPubkey: Keypair.generate().publicKey, lamports: 1 }))
  const [signed] = await keybay.connectors
    .get('turnkey')
    .wallet.features['solana:signTransaction'].signTransaction({
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
  const { recoveryUserId = '' } = await keybay.turnkey.beginRecovery()
  const code = await setup.world.recoveryCode(address)
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
  for (const request of requests) {
    const { path, headers } = request
    expect(headers['content-type']).toBe('application/json')
    expect(headers['x-client-version']).toMatch(/^@turnkey\/http@/)
    if (BY_PASSKEY.test(path)) {
      expect(headers['x-stamp']).toBeUndefined()
      const { clientDataJson } = JSON.parse(String(headers['x-stamp-webauthn']))
      expect(JSON.parse(Buffer.from(clientDataJson, 'base64url').toString()).challenge).toBe(getChallenge(request))
      continue
    }
    const stamp = getStamp(request)
    expect(Object.keys(stamp).sort()).toEqual(['publicKey', 'scheme', 'signature'])
    expect(stamp.scheme).toBe('SIGNATURE_SCHEME_TK_API_P256')
    expect([path, isSigned(request), isSigned({ ...request, body: `${request.body} ` })]).toEqual([path, true, false])
  }
  const recovered = requests.find(request => getName(request) === 'recover_user')
  const base64url = expect.stringMatching(/^[\w-]+$/)
  expect(JSON.parse(recovered?.body ?? '')).toEqual({
    type: 'ACTIVITY_TYPE_RECOVER_USER',
    timestampMs: expect.stringMatching(/^\d{13}$/),
    organizationId,
    parameters: {
      userId: recoveryUserId,
      authenticator: {
        authenticatorName: address,
        challenge: expect.stringMatching(/^[\w-]{43}$/),
        attestation: {
          attestationObject: base64url,
          clientDataJson: base64url,
          credentialId: setup.device.passkeys.at(-1)?.id,
          transports: ['AUTHENTICATOR_TRANSPORT_INTERNAL'],
        },
      },
    },
  })
})

function pathsSince(from: number) {
  return recorder.requests.slice(from).map(getName)
}

it('[S3.5] [S4.1] records a session key in full; replaces a key deleted at custody, and retries the operation once', async () => {
  const clock = fakeClock(Date.now())
  const { keybay, organizationId, client, request } = await withWallet({
    baseUrl: recorder.url,
    clock,
    sessionSeconds: 60,
  })
  let from = recorder.requests.length
  await sign(keybay, 'one')
  const [made, first] = recorder.requests.slice(from)
  if (!made || !first) throw new Error('Nothing was asked')
  expect(JSON.parse(made.body)).toEqual({
    type: 'ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION_V2',
    timestampMs: String(clock.now()),
    organizationId,
    parameters: { targetPublicKey: expect.stringMatching(/^04[0-9a-f]{128}$/), expirationSeconds: '60' },
  })
  expect(await keybay.turnkey.session()).toEqual({
    status: 'active',
    expirationDate: new Date(clock.now() + 60_000).toISOString(),
  })
  const { publicKey } = getStamp(first)
  expect(isSigned(first)).toBe(true)
  const { userId } = await client.getWhoami({ organizationId })
  const { user } = await client.getUser({ organizationId, userId })
  expect(user.apiKeys).toMatchObject([{ credential: { publicKey }, expirationSeconds: '60' }])

  const apiKeyIds = user.apiKeys.map(({ apiKeyId }) => apiKeyId)
  await client.deleteApiKeys(request('ACTIVITY_TYPE_DELETE_API_KEYS', { userId, apiKeyIds }))
  from = recorder.requests.length
  expect(await sign(keybay, 'two')).toHaveLength(1)
  expect(pathsSince(from)).toEqual(['sign_raw_payload', 'create_read_write_session', 'sign_raw_payload'])
  const [refused, , second] = recorder.requests.slice(from)
  if (!refused || !second) throw new Error('Nothing was asked')
  expect(getStamp(refused).publicKey).toBe(publicKey)
  expect(getStamp(second).publicKey).not.toBe(publicKey)
})
it('[S4.1] retries an operation once, and rejects when custody refuses it again', async () => {
  const { keybay } = await withWallet({ baseUrl: recorder.url })
  await sign(keybay, 'with a key')
  const body = JSON.stringify({ code: 16, message: 'could not find public key in organization', details: [] })
  recorder.change = (path, answer) => (path.endsWith('/sign_raw_payload') ? { status: 401, body } : answer)
  const from = recorder.requests.length
  await expect(sign(keybay, 'refused')).rejects.toMatchObject({ code: 'custody_request_failed', details: { code: 16 } })
  expect(pathsSince(from)).toEqual(['sign_raw_payload', 'create_read_write_session', 'sign_raw_payload'])
})
it('[S8.7] reports that the custody base URL is missing', async () => {
  const { keybay } = await withWallet({ baseUrl: '' })
  await expect(sign(keybay, 'x')).rejects.toMatchObject({
    code: 'custody_base_url_missing',
    message: 'Missing base URL. Please verify env vars.',
  })
})
it('[S8.7] reports a custody refusal with its code, message and details', async () => {
  const { keybay } = await withWallet()
  await expect(keybay.turnkey.addAccount({ chain: 'SOL', path: 'm/44/1' })).rejects.toMatchObject({
    code: 'custody_request_failed',
    details: { code: 3, message: expect.stringContaining('invalid request'), details: [expect.any(Object)] },
  })
})
it('[S8.7] reports that an activity waits for consent', async () => {
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
    await slow.takeRequests()
    // Polled until complete.
    expect(await sign(keybay, 'slowly')).toHaveLength(1)
    expect((await slow.takeRequests()).at(-1)).toBe('/public/v1/query/get_activity')
    await expect(keybay.turnkey.addAccount({ chain: 'SOL', path: "m/44'/501'/0'/0'" })).rejects.toMatchObject({
      code: 'custody_status_unexpected',
      message: 'Expected COMPLETED status, got ACTIVITY_STATUS_FAILED',
    })
  } finally {
    await slow.stop()
  }
})

function underWay({ status, body }: Answer): Answer {
  return { status, body: body.replace('"ACTIVITY_STATUS_COMPLETED"', '"ACTIVITY_STATUS_PENDING"') }
}
/** Starts a signature that the custody service accepts but never completes; the page keeps waiting. */
async function slowly() {
  const clock = fakeClock(Date.now())
  const { keybay } = await withWallet({ baseUrl: recorder.url, clock })
  await sign(keybay, 'with a key')
  recorder.change = (path, answer) => (/sign_raw_payload$|get_activity$/.test(path) ? underWay(answer) : answer)
  const timers = clock.pending()
  const outcome = sign(keybay, 'slowly').catch((error: unknown) => error)
  await polling(() => clock.pending() - timers)
  return { keybay, clock, outcome }
}
/** Waits until the page waits for its next poll and for its deadline. */
function polling(timers: () => number) {
  return vi.waitFor(() => expect(timers()).toBe(2), { timeout: 60_000 })
}
const unfinished = {
  code: 'custody_unfinished',
  message: 'The key-custody service has not finished; the activity may still complete',
  details: { activityId: expect.any(String), status: 'ACTIVITY_STATUS_PENDING' },
}

it('polls an activity for a minute at most, and says that the activity may still complete', async () => {
  const { clock, outcome } = await slowly()
  let over = false
  void outcome.then(() => {
    over = true
  })
  await clock.advance(59_999)
  expect(over).toBe(false)
  await clock.advance(1)
  expect(await outcome).toMatchObject(unfinished)
})
it.each<[string, (keybay: Host) => unknown]>([
  ['locks the wallet', keybay => keybay.turnkey.endSession()],
  ['signs out', keybay => keybay.account.signOut()],
  ['leaves the page', keybay => keybay.dispose()],
])('stops polling an activity for a user who %s', async (_, leave) => {
  const { keybay, outcome } = await slowly()
  await leave(keybay)
  expect(await outcome).toMatchObject(unfinished)
})
it('[S4.1] polls an activity with a new session key when the key expires, and does not submit the activity again', async () => {
  const clock = fakeClock(Date.now())
  const { keybay } = await withWallet({ baseUrl: recorder.url, clock, sessionSeconds: 60 })
  await sign(keybay, 'with a key')
  recorder.change = (path, answer) => (path.endsWith('/create_wallet_accounts') ? underWay(answer) : answer)
  const [timers, from] = [clock.pending(), recorder.requests.length]
  const added = keybay.turnkey.addAccount({ chain: 'SOL' })
  await polling(() => clock.pending() - timers)
  // Advances only the service's clock, not the page's.
  await setup.world.advance(61_000)
  await clock.advance(500)
  const address = await added
  expect(pathsSince(from)).toEqual([
    'list_wallet_accounts',
    'create_wallet_accounts',
    'get_activity',
    'create_read_write_session',
    'get_activity',
  ])
  const wallets = await keybay.turnkey.wallets()
  expect(wallets.filter(({ chain }) => chain === 'SOL').map(wallet => wallet.address)).toEqual([
    expect.any(String),
    address,
  ])
  await setup.world.advance(-61_000)
})
