/** The product API as the custody operator: it creates a user's sub-organization and starts its recovery. */
import { createPublicKey, randomUUID, verify } from 'node:crypto'
import { type Kit, settings } from '@keybay/sandbox-api/testing/client'
import { newAuthenticator } from '@keybay/sandbox-tools/testing/software-authenticator'
import bs58 from 'bs58'
import { afterAll, expect, it } from 'vitest'
import { attest, COMPLETED, newTarget, RP_ID, raw, SIGN, startProductApi, startWorld } from './world.js'

type AddressFormat = 'ADDRESS_FORMAT_COMPRESSED' | 'ADDRESS_FORMAT_SOLANA' | 'ADDRESS_FORMAT_ETHEREUM'

const custody = await startWorld()
const enabled = { ...settings, custody: { enabled: true } }
const unrecoverable = { ...settings, custody: { enabled: true, emailRecovery: false } }
const api = await startProductApi(custody, { local: enabled, unrecoverable, off: settings })
afterAll(async () => {
  await api.stop()
  await custody.stop()
})

function newBody() {
  const authenticator = newAuthenticator(RP_ID)
  const { challenge, attestation } = attest(authenticator)
  return { authenticator, body: { challenge, attestation } }
}

async function signedIn(email: string): Promise<Kit> {
  const kit = api.kit()
  await kit.signInByEmail(email)
  return kit
}

function createWallet(kit: Kit) {
  return kit.call('/custody', { body: newBody().body })
}

function readWallets(kit: Kit) {
  return kit.call('/custody', { method: 'GET' })
}

function recover(kit: Kit, environmentId = 'local') {
  return kit.call('/custody/recovery', { body: { targetPublicKey: newTarget() }, environmentId })
}

it('[S3.3] creates one custody wallet for a user, controlled by the user’s passkey alone', async () => {
  const kit = await signedIn('custody-a@example.com')
  expect((await readWallets(kit)).body).toEqual({ organizationId: null, emailRecovery: true, wallets: [] })
  const { authenticator, body } = newBody()
  const made = await kit.call('/custody', { body })
  expect(made.status).toBe(201)
  const { organizationId, wallets } = made.body
  const walletProperties = { turnkeySubOrganizationId: organizationId, isSessionKeyCompatible: true }
  expect(wallets).toMatchObject([
    { chain: 'SOL', walletName: 'turnkeyhd', walletProperties },
    { chain: 'EVM', walletName: 'turnkeyhd', walletProperties },
  ])
  const client = custody.clientBy(authenticator)
  const signing = custody.request(organizationId, SIGN, raw(wallets[0].address, 'aa'))
  const { activity } = await client.signRawPayload(signing)
  expect(activity.status).toBe(COMPLETED)
  expect(await createWallet(kit)).toMatchObject({ status: 409, body: { code: 'custody_wallet_exists' } })
  expect((await readWallets(kit)).body).toEqual(made.body)
})

it('[S3.3] lists a standalone private key as `turnkey` by its address on a chain, and signs with the key', async () => {
  const kit = await signedIn('custody-f@example.com')
  const { authenticator, body } = newBody()
  const { organizationId, wallets } = (await kit.call('/custody', { body })).body
  const client = custody.clientBy(authenticator)
  const key = (privateKeyName: string, isSolana: boolean, ...addressFormats: AddressFormat[]) => {
    const curve: 'CURVE_ED25519' | 'CURVE_SECP256K1' = isSolana ? 'CURVE_ED25519' : 'CURVE_SECP256K1'
    return { privateKeyName, curve, privateKeyTags: [], addressFormats }
  }
  const made = await client.createPrivateKeys(
    custody.request(organizationId, 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
      privateKeys: [
        key('A', true, 'ADDRESS_FORMAT_COMPRESSED', 'ADDRESS_FORMAT_SOLANA'),
        key('B', false, 'ADDRESS_FORMAT_ETHEREUM'),
        key('C', true),
      ],
    }),
  )
  const [sol, evm] = made.activity.result.createPrivateKeysResultV2?.privateKeys ?? []
  const [address, other] = [sol?.addresses?.[1]?.address, evm?.addresses?.[0]?.address]
  const walletProperties = { turnkeySubOrganizationId: organizationId, isSessionKeyCompatible: true }
  expect((await readWallets(kit)).body.wallets).toEqual([
    ...wallets,
    { id: sol?.privateKeyId, address, chain: 'SOL', walletName: 'turnkey', walletProperties },
    { id: evm?.privateKeyId, address: other, chain: 'EVM', walletName: 'turnkey', walletProperties },
  ])
  const signing = custody.request(organizationId, SIGN, raw(address ?? '', 'aa'))
  const { activity } = await client.signRawPayload(signing)
  const { r = '', s = '' } = activity.result.signRawPayloadResult ?? {}
  const x = Buffer.from(bs58.decode(address ?? '')).toString('base64url')
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  expect(verify(null, Buffer.from('aa', 'hex'), publicKey, Buffer.from(r + s, 'hex'))).toBe(true)
})

it('ten concurrent requests create one custody wallet', async () => {
  const kit = await signedIn('custody-b@example.com')
  const answers = await Promise.all(Array.from({ length: 10 }, () => createWallet(kit)))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 9 }, () => 409)])
})

it('an invalid passkey creates no custody wallet, and a valid passkey then does', async () => {
  const kit = await signedIn('custody-c@example.com')
  const { body } = newBody()
  expect(await kit.call('/custody', { body: { ...body, challenge: 'AAAA' } })).toMatchObject({
    status: 401,
    body: { code: 'invalid_passkey' },
  })
  expect((await kit.call('/custody', { body })).status).toBe(201)
})

it('starts a recovery: the code goes to the wallet’s email address, and is valid for 900 s', async () => {
  const kit = await signedIn('custody-d@example.com')
  expect((await recover(kit)).body.code).toBe('custody_wallet_missing')
  await createWallet(kit)
  const begun = await recover(kit)
  expect(begun.status).toBe(202)
  expect(begun.body.codeExpiresAt - api.api.clock.now()).toBeGreaterThan(890_000)
  const url = `${custody.inbox.url}/api/messages/latest?to=custody-d@example.com&wait=20000`
  const { text } = await (await fetch(url)).json()
  expect(text).toMatch(/^[1-9A-HJ-NP-Za-km-z]{80,}$/m)
  expect(JSON.stringify(begun.body)).not.toContain(/^[1-9A-HJ-NP-Za-km-z]{80,}$/m.exec(text)?.[0])
})

it('refuses recovery with email_recovery_disabled, and with method_not_enabled where custody is off', async () => {
  const kit = api.kit()
  const signIn = async (environmentId: string) => {
    const { body } = await kit.call('/auth/email', { body: { email: `${environmentId}@example.com` }, environmentId })
    const code = await api.codeTo(`${environmentId}@example.com`)
    kit.keep(
      await kit.call('/auth/email/verify', { body: { verificationId: body.verificationId, code }, environmentId }),
    )
  }
  await signIn('unrecoverable')
  expect((await recover(kit, 'unrecoverable')).body.code).toBe('email_recovery_disabled')
  await signIn('off')
  expect((await recover(kit, 'off')).body.code).toBe('method_not_enabled')
})

it('reports that custody is unreachable, and exports no data of the user without custody', async () => {
  const kit = await signedIn('custody-e@example.com')
  const unreachable = { ...custody.custody, internalUrl: 'http://127.0.0.1:1' }
  const world = await startProductApi({ ...custody, custody: unreachable }, { local: enabled })
  try {
    const other = world.kit()
    await other.signInByEmail('custody-e@example.com')
    expect(await createWallet(other)).toMatchObject({
      status: 503,
      body: { code: 'custody_unavailable', details: { reason: 'no answer' } },
    })
    // Custody may have made the wallet before the answer was lost, so a document without custody could be incomplete.
    const document = await other.call('/users/me/export', { method: 'POST' })
    expect(document).toMatchObject({
      status: 503,
      body: { code: 'service_unavailable', details: { service: 'custody' } },
    })
  } finally {
    await world.stop()
  }
  expect((await createWallet(kit)).status).toBe(201)
})

/** Links another user's email address to `stays`. */
async function linkEmail(stays: Kit, email: string) {
  const path = '/users/me/credentials/email'
  const { verificationId } = (await stays.call(path, { body: { email } })).body
  const code = await api.codeTo(email)
  return stays.call(`${path}/verify`, { body: { verificationId, code } })
}
const refusedForWallet = { status: 409, body: { code: 'merge_accounts_invalid', details: { reason: 'wallet' } } }

it('refuses to merge a user with a custody wallet into another user', async () => {
  const [stays, goes] = [await signedIn('custody-stays@example.com'), await signedIn('custody-goes@example.com')]
  const { organizationId } = (await createWallet(goes)).body
  expect(await linkEmail(stays, 'custody-goes@example.com')).toMatchObject(refusedForWallet)
  expect((await readWallets(goes)).body).toMatchObject({ organizationId })
})

it('either merges a user or creates the user’s custody wallet when both are requested at once', async () => {
  for (const round of [1, 2, 3, 4]) {
    const email = `custody-race-${round}@example.com`
    const [stays, goes] = [await signedIn(`custody-winner-${round}@example.com`), await signedIn(email)]
    const { mergeId } = (await linkEmail(stays, email)).body.details
    const creating = () => createWallet(goes)
    const merging = () => stays.call('/users/me/merge', { body: { mergeId } })
    const [first, second] = round % 2 === 0 ? [merging, creating] : [creating, merging]
    const answers = await Promise.all([first(), second()])
    const [made, merged] = round % 2 === 0 ? [answers[1], answers[0]] : [answers[0], answers[1]]
    if (made.status === 201) expect(merged).toMatchObject(refusedForWallet)
    else {
      expect(made.body.code).toBe('session_expired')
      expect(merged.body.step).toBe('verified-and-transferred')
    }
    const owner = made.status === 201 ? goes : stays
    expect((await owner.call('/users/me', { method: 'GET' })).status).toBe(200)
  }
})

it('creates no custody wallet for a user whose deletion is pending', async () => {
  const leaving = await signedIn('custody-leaving@example.com')
  expect((await leaving.call('/users/me', { method: 'DELETE' })).status).toBe(204)
  const back = await signedIn('custody-leaving@example.com')
  expect((await createWallet(back)).body.code).toBe('account_deletion_pending')
  expect((await back.call('/users/me/restore', { body: {} })).status).toBeLessThan(300)
  expect((await createWallet(back)).status).toBe(201)
})

it('a user reads custody wallets 60 times a minute, tries to create one 10 times and has 30 activities approved, then waits; others do not', async () => {
  const strict = await startProductApi(custody, { local: enabled }, 1)
  try {
    const signIn = async (email: string) => {
      const kit = strict.kit()
      await kit.signInByEmail(email)
      return kit
    }
    const [kit, other] = [await signIn('custody-often@example.com'), await signIn('custody-other@example.com')]
    const approve = (user: Kit) => user.call('/custody/approvals', { body: { activityId: randomUUID() } })
    const create = (user: Kit) => {
      const { challenge, attestation } = attest(newAuthenticator(RP_ID), 'Passkey', 'https://evil.example')
      return user.call('/custody', { body: { challenge, attestation } })
    }
    const limits = [
      { call: create, most: 10, usual: 401 },
      { call: readWallets, most: 60, usual: 200 },
      { call: approve, most: 30, usual: 404 },
    ]
    for (const { call, most, usual } of limits) {
      const statuses: number[] = []
      for (let calls = 0; calls < most; calls++) statuses.push((await call(kit)).status)
      expect(new Set(statuses)).toEqual(new Set([usual]))
      const refused = await call(kit)
      expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
      expect((await call(other)).status).toBe(usual)
    }
    strict.api.clock.advance(60_000)
    for (const call of [readWallets, approve]) expect((await call(kit)).status).not.toBe(429)
  } finally {
    await strict.stop()
  }
})
