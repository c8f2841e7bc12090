// @vitest-environment happy-dom
/** Tests custody wallets through the kit, against the real API and custody, in a page with a software authenticator. */
import { fakeClock } from '@keybay/kernel/testing'
import { installPasskeys, type PagePasskeys } from '@keybay/sandbox-tools/testing/page-passkeys'
import { decryptExportBundle, generateP256KeyPair } from '@turnkey/crypto'
import { TurnkeyClient } from '@turnkey/http'
import { WebauthnStamper } from '@turnkey/webauthn-stamper'
import bs58 from 'bs58'
import { verifyTyped } from 'micro-eth-signer'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import {
  accountOn,
  codeIn,
  createHost as createHostIn,
  type Host,
  type HostOptions,
  sign,
  signIn as signInTo,
  text,
} from './host.js'
import { startWorld, type World } from './world.js'

let world: World
let device: PagePasskeys
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

let hosts: { dispose(): void }[] = []
beforeEach(() => {
  device = installPasskeys()
})
afterEach(() => {
  for (const host of hosts) host.dispose()
  hosts = []
  vi.unstubAllGlobals()
  device.remove()
  localStorage.clear()
})

function createHost(options: HostOptions = {}): Host {
  const keybay = createHostIn(world, options)
  hosts.push(keybay)
  return keybay
}

function signIn(keybay: Host, address?: string, after?: string) {
  return signInTo(world, keybay, address, after)
}

async function verifies(address: string, message: Uint8Array<ArrayBuffer>, signature: Uint8Array): Promise<boolean> {
  const raw = new Uint8Array(bs58.decode(address))
  const key = await crypto.subtle.importKey('raw', raw, 'Ed25519', false, ['verify'])
  return crypto.subtle.verify('Ed25519', key, new Uint8Array(signature), message)
}

async function withWallet(options: HostOptions = {}): Promise<{ keybay: Host; address: string }> {
  const keybay = createHost(options)
  const address = await signIn(keybay)
  await keybay.turnkey.createWallet()
  await keybay.connect('turnkey')
  return { keybay, address }
}

it('[S1.13] [S9.3] [S9.8] a user creates a wallet with a passkey and signs: one passkey, one request per signature', async () => {
  const keybay = createHost()
  await signIn(keybay)
  await expect(keybay.connect('turnkey')).rejects.toMatchObject({ code: 'account_not_found' })
  const wallets = await keybay.turnkey.createWallet()
  expect(wallets.map(({ chain, walletName }) => [chain, walletName])).toEqual([
    ['SOL', 'turnkeyhd'],
    ['EVM', 'turnkeyhd'],
  ])
  const connector = keybay.connectors.get('turnkey')
  expect([connector.wallet.name, connector.connectionType]).toEqual(['turnkeyhd', 'embeddedWallet'])
  await keybay.connect('turnkey')
  await world.asked()
  const [signed] = await sign(keybay, 'hello')
  expect(await verifies(wallets[0]?.address ?? '', text('hello'), signed?.signature ?? new Uint8Array())).toBe(true)
  expect(await world.asked()).toEqual([
    '/public/v1/submit/create_read_write_session',
    '/public/v1/submit/sign_raw_payload',
  ])
  await sign(keybay, 'again')
  expect(await world.asked()).toEqual(['/public/v1/submit/sign_raw_payload'])
  const three = await sign(keybay, 'a', 'b', 'c')
  expect(await world.asked()).toEqual(['/public/v1/submit/sign_raw_payloads'])
  expect(await verifies(wallets[0]?.address ?? '', text('c'), three[2]?.signature ?? new Uint8Array())).toBe(true)
  const [created, got] = device.requests
  expect(device.requests).toHaveLength(2)
  expect(created?.publicKey).toMatchObject({
    timeout: 300_000,
    authenticatorSelection: { userVerification: 'preferred', residentKey: 'preferred' },
  })
  expect(got?.publicKey).toMatchObject({ timeout: 300_000, userVerification: 'preferred' })
})

/** Creates a standalone key of the user with Turnkey's own client. */
async function addKey(keybay: Host): Promise<string> {
  const [wallet] = await keybay.turnkey.wallets()
  const client = new TurnkeyClient({ baseUrl: world.custodyUrl }, new WebauthnStamper({ rpId: location.hostname }))
  const { activity } = await client.createPrivateKeys({
    type: 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2',
    timestampMs: String(Date.now()),
    organizationId: wallet?.walletProperties?.turnkeySubOrganizationId ?? '',
    parameters: {
      privateKeys: [
        {
          privateKeyName: 'Own',
          curve: 'CURVE_ED25519',
          privateKeyTags: [],
          addressFormats: ['ADDRESS_FORMAT_SOLANA'],
        },
      ],
    },
  })
  return activity.result.createPrivateKeysResultV2?.privateKeys[0]?.addresses?.[0]?.address ?? ''
}
/** Changes the wallet name that the product API returns for one account. */
function rename(address: string, walletName: string): void {
  const real = fetch
  vi.stubGlobal('fetch', async (...args: Parameters<typeof fetch>) => {
    const answer = await real(...args)
    if (!String(args[0]).endsWith('/custody')) return answer
    const { wallets, ...rest } = await answer.json()
    const renamed = wallets.map((wallet: { address: string }) =>
      wallet.address === address ? { ...wallet, walletName } : wallet,
    )
    return new Response(JSON.stringify({ ...rest, wallets: renamed }))
  })
}

it('[S9.8] shows, signs with and exports accounts of `turnkeyhd` and `turnkey`, but not accounts of other names', async () => {
  const { keybay } = await withWallet()
  const [sol, evm] = await keybay.turnkey.wallets()
  const [key, other] = [await addKey(keybay), await keybay.turnkey.addAccount({ chain: 'SOL' })]
  rename(other, 'other')
  const wallets = await keybay.turnkey.wallets()
  expect(new Set(wallets.map(({ address, walletName }) => `${address} ${walletName}`))).toEqual(
    new Set([`${sol?.address} turnkeyhd`, `${evm?.address} turnkeyhd`, `${other} other`, `${key} turnkey`]),
  )
  const { accounts, features } = keybay.connectors.get('turnkey').wallet
  expect(accounts.map(({ address }) => address)).toEqual([sol?.address, evm?.address, key])
  const signBy = (address: string) =>
    features['solana:signMessage'].signMessage({
      account: { ...accountOn(keybay, 'solana:'), address },
      message: text('hello'),
    })
  const [signed] = await signBy(key)
  expect(await verifies(key, text('hello'), signed?.signature ?? new Uint8Array())).toBe(true)
  await world.asked()
  await expect(signBy(other)).rejects.toMatchObject({ code: 'account_not_found' })
  expect(await world.asked()).toEqual([])

  const target = generateP256KeyPair()
  const exportBundle = await keybay.turnkey.exportWalletAccount(key, { targetPublicKey: target.publicKeyUncompressed })
  const exported = await decryptExportBundle({
    exportBundle,
    embeddedKey: target.privateKey,
    organizationId: sol?.walletProperties?.turnkeySubOrganizationId ?? '',
    dangerouslyOverrideSignerPublicKey: world.signerPublicKey,
    keyFormat: 'SOLANA',
    returnMnemonic: false,
  })
  expect(bs58.encode(bs58.decode(exported).subarray(32))).toBe(key)
})

it('refuses a second custody wallet for one user', async () => {
  const { keybay } = await withWallet()
  await expect(keybay.turnkey.createWallet()).rejects.toMatchObject({ code: 'custody_wallet_exists' })
})

it('[S3.5] [S4.1] a session key is none, loading, active until its date; then replaced for one retry', async () => {
  const { keybay } = await withWallet({ sessionSeconds: 60 })
  const seen: string[] = []
  keybay.on('turnkey:session', ({ status }) => seen.push(status))
  expect(await keybay.turnkey.session()).toEqual({ status: 'none' })
  const before = Date.now()
  await Promise.all([sign(keybay, '1'), sign(keybay, '2')])
  expect(seen).toEqual(['loading', 'active'])
  const { expirationDate = '' } = await keybay.turnkey.session()
  expect(Date.parse(expirationDate) - before).toBeGreaterThanOrEqual(60_000)
  // Advances only the service's clock, not the page's: the page learns the time from the rejection.
  await world.advance(61_000)
  await world.asked()
  const [signed] = await sign(keybay, '3')
  expect(signed?.signature).toHaveLength(64)
  expect(await world.asked()).toEqual([
    '/public/v1/submit/sign_raw_payload',
    '/public/v1/submit/create_read_write_session',
    '/public/v1/submit/sign_raw_payload',
  ])
  expect(seen).toEqual(['loading', 'active', 'expired', 'loading', 'active'])
  await keybay.turnkey.endSession()
  expect(await keybay.turnkey.session()).toEqual({ status: 'none' })
  expect(JSON.stringify({ ...localStorage })).not.toMatch(/[0-9a-f]{64}/)
  await world.advance(-61_000)
})

it('[S4.1] does not try a session key that is expired by the page’s clock', async () => {
  const clock = fakeClock(Date.now())
  const { keybay } = await withWallet({ clock, sessionSeconds: 60 })
  await sign(keybay, '1')
  await clock.advance(60_000)
  expect(await keybay.turnkey.session()).toMatchObject({ status: 'expired' })
  await world.asked()
  await sign(keybay, '2')
  expect(await world.asked()).toEqual([
    '/public/v1/submit/create_read_write_session',
    '/public/v1/submit/sign_raw_payload',
  ])
})

it('rejects with user_rejected when the user refuses the passkey', async () => {
  const { keybay } = await withWallet()
  device.user = 'refuses'
  await expect(sign(keybay, 'x')).rejects.toMatchObject({ code: 'user_rejected', walletCode: 2 })
  device.user = 'approves'
  expect(await sign(keybay, 'x')).toHaveLength(1)
})

it('signs typed data with the EVM account of a custody wallet', async () => {
  const { keybay } = await withWallet()
  const { address } = accountOn(keybay, 'eip155:')
  const typed = {
    types: { EIP712Domain: [{ name: 'name', type: 'string' }], Mail: [{ name: 'contents', type: 'string' }] },
    primaryType: 'Mail' as const,
    domain: { name: 'Keybay' },
    message: { contents: 'Hello' },
  }
  const signature = await keybay.turnkey.signTypedData(address, JSON.stringify(typed))
  expect(verifyTyped(signature, typed, address)).toBe(true)
  const other = accountOn(keybay, 'solana:').address
  await expect(keybay.turnkey.signTypedData(other, '{}')).rejects.toMatchObject({ code: 'account_not_found' })
})

it('adds an account and a second passkey, changes the email address, and lists the activities', async () => {
  const { keybay } = await withWallet()
  const address = await keybay.turnkey.addAccount({ chain: 'SOL' })
  expect(keybay.connectors.get('turnkey').wallet.accounts.map(account => account.address)).toContain(address)
  await keybay.turnkey.addPasskey('Phone')
  await keybay.turnkey.updateEmail('other@example.com')
  expect(await keybay.turnkey.user()).toMatchObject({
    email: 'other@example.com',
    passkeys: expect.arrayContaining([expect.objectContaining({ name: 'Phone' })]),
  })
  // Only the new passkey responds from now on.
  await keybay.turnkey.endSession()
  expect(await sign(keybay, 'by the phone')).toHaveLength(1)
  const types = (await keybay.turnkey.activities()).map(({ type }) => type)
  expect(types).toEqual(
    expect.arrayContaining(['ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2', 'ACTIVITY_TYPE_UPDATE_USER_EMAIL']),
  )
})

it('[S5.9] refuses a frame host that is not an origin before asking for the passkey', async () => {
  const { keybay } = await withWallet({ frameHost: 'https://wallet.example.com/path' })
  const { address } = accountOn(keybay, 'solana:')
  const asked = device.requests.length
  await expect(
    keybay.turnkey.exportKey(address, { displayContainer: document.createElement('div') }),
  ).rejects.toMatchObject({ code: 'record_invalid', message: expect.stringContaining('frameHost') })
  expect(device.requests).toHaveLength(asked)
})

it('[S9.3] exports, new passkeys and email changes require a verified passkey each time', async () => {
  const { keybay } = await withWallet()
  await sign(keybay, 'with a session key')
  const { address } = accountOn(keybay, 'solana:')
  const { publicKeyUncompressed: targetPublicKey } = generateP256KeyPair()
  const [wallet] = await keybay.turnkey.wallets()
  const organizationId = wallet?.walletProperties?.turnkeySubOrganizationId ?? ''
  const client = new TurnkeyClient({ baseUrl: world.custodyUrl }, new WebauthnStamper({ rpId: location.hostname }))
  const [{ walletId } = { walletId: '' }] = (await client.getWallets({ organizationId })).wallets
  const calls: readonly (() => Promise<unknown>)[] = [
    () => keybay.turnkey.exportWallet(walletId, { targetPublicKey }),
    () => keybay.turnkey.exportWalletAccount(address, { targetPublicKey }),
    () => keybay.turnkey.updateEmail('elsewhere@example.com'),
    () => keybay.turnkey.addPasskey('Phone'),
  ]
  for (const call of calls) {
    const before = device.requests.length
    await call()
    const asked = device.requests.slice(before).filter(({ kind }) => kind === 'get')
    expect(asked.map(({ publicKey }) => publicKey.userVerification)).toEqual(['required'])
  }
  // The session key still signs, without the passkey.
  const before = device.requests.length
  await sign(keybay, 'still')
  expect(device.requests).toHaveLength(before)
})

it('exports nothing when the user declines the passkey, even with an active session key', async () => {
  const { keybay } = await withWallet()
  await sign(keybay, 'with a session key')
  const { address } = accountOn(keybay, 'solana:')
  const { publicKeyUncompressed: targetPublicKey } = generateP256KeyPair()
  device.user = 'refuses'
  await expect(keybay.turnkey.exportWalletAccount(address, { targetPublicKey })).rejects.toMatchObject({
    code: 'user_rejected',
  })
  const types = (await keybay.turnkey.activities()).map(({ type }) => type)
  expect(types).not.toContain('ACTIVITY_TYPE_EXPORT_WALLET_ACCOUNT')
})

it('encrypts an export only to the target key', async () => {
  const { keybay } = await withWallet()
  const { address } = accountOn(keybay, 'solana:')
  const target = generateP256KeyPair()
  const exportBundle = await keybay.turnkey.exportWalletAccount(address, {
    targetPublicKey: target.publicKeyUncompressed,
  })
  const [wallet] = await keybay.turnkey.wallets()
  const key = await decryptExportBundle({
    exportBundle,
    embeddedKey: target.privateKey,
    organizationId: wallet?.walletProperties?.turnkeySubOrganizationId ?? '',
    dangerouslyOverrideSignerPublicKey: world.signerPublicKey,
    keyFormat: 'SOLANA',
    returnMnemonic: false,
  })
  expect(bs58.encode(bs58.decode(key).subarray(32))).toBe(address)
})

it('[S1.14] [S3.4] [S5.10] recovers a custody wallet by email on a new device', async () => {
  const { keybay: lost, address } = await withWallet()
  const { address: wallet } = accountOn(lost, 'solana:')
  await lost.account.signOut()
  device.remove()
  device = installPasskeys()
  const keybay = createHost()
  const { id } = await world.mailTo(address)
  await signIn(keybay, address, id)
  const last = await world.mailTo(address)
  const { recoveryUserId = '', status } = await keybay.turnkey.beginRecovery()
  expect(status).toBe('active')
  const code = codeIn((await world.mailTo(address, last.id)).text)
  const complete = (options: object) => keybay.turnkey.completeRecovery({ code, recoveryUserId, ...options })
  const incomplete = { code: 'recovery_incomplete' }
  await expect(complete({})).rejects.toMatchObject(incomplete)
  await expect(complete({ email: address, recoveryUserId: '' })).rejects.toMatchObject(incomplete)
  await expect(complete({ email: address, code: `${code}x` })).rejects.toMatchObject({
    message: 'The code is invalid or expired.',
  })
  expect(device.passkeys).toHaveLength(0)
  expect((await complete({ email: address })).map(one => one.address)).toContain(wallet)
  expect(await keybay.turnkey.recovery()).toEqual({ status: 'none' })
  await keybay.connect('turnkey')
  const [signed] = await sign(keybay, 'from the new device')
  expect(await verifies(wallet, text('from the new device'), signed?.signature ?? new Uint8Array())).toBe(true)
  await expect(complete({ email: address })).rejects.toMatchObject({ message: 'The code is invalid or expired.' })
})

it('[S4.2] [S9.1] a recovery session lasts 1800 s or the given time, and its code 900 s', async () => {
  const clock = fakeClock(Date.now())
  const { keybay, address } = await withWallet({ clock })
  const last = await world.mailTo(address)
  const begun = await keybay.turnkey.beginRecovery()
  const code = codeIn((await world.mailTo(address, last.id)).text)
  expect((begun.codeExpiresAt ?? 0) - clock.now()).toBe(900_000)
  expect((begun.expiresAt ?? 0) - clock.now()).toBe(1_800_000)
  await clock.advance(900_000)
  const { recoveryUserId = '' } = begun
  await expect(keybay.turnkey.completeRecovery({ code, recoveryUserId, email: address })).rejects.toMatchObject({
    message: 'The code is invalid or expired.',
  })
  expect(await keybay.turnkey.recovery()).toMatchObject({ status: 'active' })
  await clock.advance(900_000)
  expect(await keybay.turnkey.recovery()).toEqual({ status: 'expired' })
  await keybay.turnkey.beginRecovery({ sessionExpiration: 60 })
  await clock.advance(60_000)
  expect(await keybay.turnkey.recovery()).toEqual({ status: 'expired' })
})

it('a sign-out clears the session key and the accounts', async () => {
  const { keybay } = await withWallet()
  await sign(keybay, 'x')
  await keybay.account.signOut()
  expect(await keybay.turnkey.session()).toEqual({ status: 'none' })
  expect(keybay.connectors.get('turnkey').wallet.accounts).toEqual([])
})

async function sessionKeysAt(organizationId: string): Promise<readonly string[]> {
  const client = new TurnkeyClient({ baseUrl: world.custodyUrl }, new WebauthnStamper({ rpId: location.hostname }))
  const { userId } = await client.getWhoami({ organizationId })
  return (await client.getUser({ organizationId, userId })).user.apiKeys.map(({ apiKeyName }) => apiKeyName)
}

async function readOrganization(keybay: Host): Promise<string> {
  return (await keybay.turnkey.wallets())[0]?.walletProperties?.turnkeySubOrganizationId ?? ''
}

it.each<[string, (keybay: Host) => Promise<unknown>]>([
  ['signs out', keybay => keybay.account.signOut()],
  ['locks the wallet', keybay => keybay.turnkey.endSession()],
])('deletes the session key at custody for a user who %s', async (_, leave) => {
  const { keybay } = await withWallet()
  const organizationId = await readOrganization(keybay)
  await sign(keybay, 'x')
  expect(await sessionKeysAt(organizationId)).toHaveLength(1)
  await leave(keybay)
  await vi.waitFor(async () => expect(await sessionKeysAt(organizationId)).toEqual([]), { timeout: 20_000 })
})

it('deletes a session key that arrives after the user has locked the wallet', async () => {
  const { keybay } = await withWallet()
  const organizationId = await readOrganization(keybay)
  const loading = new Promise<void>(resolve => {
    keybay.on('turnkey:session', ({ status }) => status === 'loading' && resolve())
  })
  const signing = sign(keybay, 'x').catch((error: unknown) => error)
  await loading
  await keybay.turnkey.endSession()
  await signing
  await vi.waitFor(async () => expect(await sessionKeysAt(organizationId)).toEqual([]), { timeout: 20_000 })
  expect(await keybay.turnkey.session()).toEqual({ status: 'none' })
})

it('signs out while custody is unreachable; the session key left there expires at its date', async () => {
  const { keybay } = await withWallet()
  await sign(keybay, 'x')
  const real = fetch
  vi.stubGlobal('fetch', async (...args: Parameters<typeof fetch>) => {
    if (String(args[0]).startsWith(world.custodyUrl)) throw new TypeError('Failed to fetch')
    return real(...args)
  })
  await keybay.account.signOut()
  expect(await keybay.turnkey.session()).toEqual({ status: 'none' })
  expect(keybay.session.current.status).toBe('anonymous')
})
