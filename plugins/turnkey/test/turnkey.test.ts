// @vitest-environment happy-dom
/** Tests custody wallets through the kit, against the real API and custody, in a page with a software authenticator. */
import { fakeClock } from '@keybay/kernel/testing'
import { decryptExportBundle, generateP256KeyPair } from '@turnkey/crypto'
import bs58 from 'bs58'
import { verifyTyped } from 'micro-eth-signer'
import { expect, it, vi } from 'vitest'
import { isBegin, isFit, isSealed } from '../src/export/messages.js'
import { accountOn, type Host, setUpWorld, sign, signIn, text, verifies } from './support.js'

const setup = setUpWorld()
const { withWallet } = setup

it('[S1.13] [S9.3] [S9.8] a user creates a wallet with a passkey and signs: one passkey, one request per signature', async () => {
  const keybay = setup.open()
  await signIn(setup.world, keybay)
  await expect(keybay.connect('turnkey')).rejects.toMatchObject({ code: 'account_not_found' })
  const wallets = await keybay.turnkey.createWallet()
  expect(wallets.map(({ chain, walletName }) => [chain, walletName])).toEqual([
    ['SOL', 'turnkeyhd'],
    ['EVM', 'turnkeyhd'],
  ])
  const connector = keybay.connectors.get('turnkey')
  expect([connector.wallet.name, connector.connectionType]).toEqual(['turnkeyhd', 'custodialService'])
  await keybay.connect('turnkey')
  await setup.world.takeRequests()
  const [signed] = await sign(keybay, 'hello')
  expect(await verifies(wallets[0]?.address ?? '', 'hello', signed?.signature)).toBe(true)
  expect(await setup.world.takeRequests()).toEqual([
    '/public/v1/submit/create_read_write_session',
    '/public/v1/submit/sign_raw_payload',
  ])
  await sign(keybay, 'again')
  expect(await setup.world.takeRequests()).toEqual(['/public/v1/submit/sign_raw_payload'])
  const three = await sign(keybay, 'a', 'b', 'c')
  expect(await setup.world.takeRequests()).toEqual(['/public/v1/submit/sign_raw_payloads'])
  expect(await verifies(wallets[0]?.address ?? '', 'c', three[2]?.signature)).toBe(true)
  const [created, got] = setup.device.requests
  expect(setup.device.requests).toHaveLength(2)
  expect(created?.publicKey).toMatchObject({
    timeout: 300_000,
    authenticatorSelection: { userVerification: 'preferred', residentKey: 'preferred' },
  })
  expect(got?.publicKey).toMatchObject({ timeout: 300_000, userVerification: 'preferred' })
})
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
  const { keybay, client, request, organizationId } = await withWallet()
  const [sol, evm] = await keybay.turnkey.wallets()
  const { activity } = await client.createPrivateKeys(
    request('ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
      privateKeys: [
        {
          privateKeyName: 'Own',
          curve: 'CURVE_ED25519' as const,
          privateKeyTags: [],
          addressFormats: ['ADDRESS_FORMAT_SOLANA' as const],
        },
      ],
    }),
  )
  const key = activity.result.createPrivateKeysResultV2?.privateKeys[0]?.addresses?.[0]?.address ?? ''
  const other = await keybay.turnkey.addAccount({ chain: 'SOL' })
  rename(other, 'other')
  const wallets = await keybay.turnkey.wallets()
  expect(new Set(wallets.map(({ address, walletName }) => `${address} ${walletName}`))).toEqual(
    new Set([`${sol?.address} turnkeyhd`, `${evm?.address} turnkeyhd`, `${other} other`, `${key} turnkey`]),
  )
  const { accounts, features } = keybay.connectors.get('turnkey').wallet
  expect(accounts.map(({ address }) => address)).toEqual([sol?.address, evm?.address, key])
  const account = accountOn(keybay, 'solana:')
  const signBy = (address: string) =>
    features['solana:signMessage'].signMessage({ account: { ...account, address }, message: text('hello') })
  const [signed] = await signBy(key)
  expect(await verifies(key, 'hello', signed?.signature)).toBe(true)
  await setup.world.takeRequests()
  await expect(signBy(other)).rejects.toMatchObject({ code: 'account_not_found' })
  expect(await setup.world.takeRequests()).toEqual([])

  for (const address of [key, account.address]) {
    const target = generateP256KeyPair()
    const targetPublicKey = target.publicKeyUncompressed
    const exported = await decryptExportBundle({
      exportBundle: await keybay.turnkey.exportWalletAccount(address, { targetPublicKey }),
      embeddedKey: target.privateKey,
      organizationId,
      dangerouslyOverrideSignerPublicKey: setup.world.signerPublicKey,
      keyFormat: 'SOLANA',
      returnMnemonic: false,
    })
    expect(bs58.encode(bs58.decode(exported).subarray(32))).toBe(address)
  }
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
  await setup.world.advance(61_000)
  await setup.world.takeRequests()
  const [signed] = await sign(keybay, '3')
  expect(signed?.signature).toHaveLength(64)
  expect(await setup.world.takeRequests()).toEqual([
    '/public/v1/submit/sign_raw_payload',
    '/public/v1/submit/create_read_write_session',
    '/public/v1/submit/sign_raw_payload',
  ])
  expect(seen).toEqual(['loading', 'active', 'expired', 'loading', 'active'])
  await keybay.turnkey.endSession()
  expect(await keybay.turnkey.session()).toEqual({ status: 'none' })
  expect(JSON.stringify({ ...localStorage })).not.toMatch(/[0-9a-f]{64}/)
  await setup.world.advance(-61_000)
})
it('[S4.1] does not try a session key that is expired by the page’s clock', async () => {
  const clock = fakeClock(Date.now())
  const { keybay } = await withWallet({ clock, sessionSeconds: 60 })
  await sign(keybay, '1')
  await clock.advance(60_000)
  expect(await keybay.turnkey.session()).toMatchObject({ status: 'expired' })
  await setup.world.takeRequests()
  await sign(keybay, '2')
  expect(await setup.world.takeRequests()).toEqual([
    '/public/v1/submit/create_read_write_session',
    '/public/v1/submit/sign_raw_payload',
  ])
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
it('[S5.9] refuses a frame host that is not an origin before asking for the passkey', async () => {
  const { keybay } = await withWallet({ frameHost: 'https://wallet.example.com/path' })
  const { address } = accountOn(keybay, 'solana:')
  const requestCount = setup.device.requests.length
  await expect(
    keybay.turnkey.exportKey(address, { displayContainer: document.createElement('div') }),
  ).rejects.toMatchObject({ code: 'record_invalid', message: expect.stringContaining('frameHost') })
  expect(setup.device.requests).toHaveLength(requestCount)
})
it('[S9.3] exports, new passkeys and email changes require a verified passkey each time', async () => {
  const { keybay, client, organizationId } = await withWallet()
  await sign(keybay, 'with a session key')
  const { address } = accountOn(keybay, 'solana:')
  const { publicKeyUncompressed: targetPublicKey } = generateP256KeyPair()
  const [{ walletId } = { walletId: '' }] = (await client.getWallets({ organizationId })).wallets
  const calls: readonly (() => Promise<unknown>)[] = [
    () => keybay.turnkey.exportWallet(walletId, { targetPublicKey }),
    () => keybay.turnkey.exportWalletAccount(address, { targetPublicKey }),
    () => keybay.turnkey.updateEmail('elsewhere@example.com'),
    () => keybay.turnkey.addPasskey('Phone'),
  ]
  for (const call of calls) {
    const before = setup.device.requests.length
    await call()
    const passkeyRequests = setup.device.requests.slice(before).filter(({ kind }) => kind === 'get')
    expect(passkeyRequests.map(({ publicKey }) => publicKey.userVerification)).toEqual(['required'])
  }
  // The session key still signs, without the passkey.
  const before = setup.device.requests.length
  await sign(keybay, 'still')
  expect(setup.device.requests).toHaveLength(before)
})
it('exports nothing when the user declines the passkey, even with an active session key', async () => {
  const { keybay } = await withWallet()
  await sign(keybay, 'with a session key')
  const { address } = accountOn(keybay, 'solana:')
  const { publicKeyUncompressed: targetPublicKey } = generateP256KeyPair()
  setup.device.user = 'refuses'
  await expect(keybay.turnkey.exportWalletAccount(address, { targetPublicKey })).rejects.toMatchObject({
    code: 'user_rejected',
    walletCode: 2,
  })
  setup.device.user = 'approves'
  const types = (await keybay.turnkey.activities()).map(({ type }) => type)
  expect(types).not.toContain('ACTIVITY_TYPE_EXPORT_WALLET_ACCOUNT')
})
it('[S1.14] [S3.4] [S5.10] recovers a custody wallet by email on a new device', async () => {
  const { world } = setup
  const { keybay: lost, address } = await withWallet()
  const { address: wallet } = accountOn(lost, 'solana:')
  await lost.account.signOut()
  setup.replaceDevice()
  const { device } = setup
  const keybay = setup.open()
  await signIn(world, keybay, address)
  const { recoveryUserId = '', status } = await keybay.turnkey.beginRecovery()
  expect(status).toBe('active')
  const code = await world.recoveryCode(address)
  const complete = (options: object) => keybay.turnkey.completeRecovery({ code, recoveryUserId, ...options })
  const incomplete = { code: 'recovery_incomplete' }
  await expect(complete({})).rejects.toMatchObject(incomplete)
  await expect(complete({ email: address, recoveryUserId: '' })).rejects.toMatchObject(incomplete)
  await expect(complete({ email: address, code: `${code}x` })).rejects.toMatchObject({
    message: 'The code is invalid or expired.',
  })
  expect(device.passkeys).toHaveLength(0)
  expect((await complete({ email: address })).map(account => account.address)).toContain(wallet)
  expect(await keybay.turnkey.recovery()).toEqual({ status: 'none' })
  await keybay.connect('turnkey')
  const [signed] = await sign(keybay, 'from the new device')
  expect(await verifies(wallet, 'from the new device', signed?.signature)).toBe(true)
  await expect(complete({ email: address })).rejects.toMatchObject({ message: 'The code is invalid or expired.' })
})
it('[S4.2] [S9.1] a recovery session lasts 1800 s or the given time, and its code 900 s', async () => {
  const clock = fakeClock(Date.now())
  const { keybay, address } = await withWallet({ clock })
  const begun = await keybay.turnkey.beginRecovery()
  const code = await setup.world.recoveryCode(address)
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
it.each<[string, (keybay: Host) => Promise<unknown>]>([
  ['signs out', keybay => keybay.account.signOut()],
  ['locks the wallet', keybay => keybay.turnkey.endSession()],
  ['locks the wallet before the key arrives', keybay => keybay.turnkey.endSession()],
])('deletes the session key at custody for a user who %s', async (when, leave) => {
  const { keybay, client, organizationId } = await withWallet()
  const { userId } = await client.getWhoami({ organizationId })
  const listKeys = async () => (await client.getUser({ organizationId, userId })).user.apiKeys
  const loading = new Promise<void>(resolve => {
    keybay.on('turnkey:session', ({ status }) => status === 'loading' && resolve())
  })
  const signing = sign(keybay, 'x').catch((error: unknown) => error)
  if (when.endsWith('arrives')) await loading
  else {
    await signing
    expect(await listKeys()).toHaveLength(1)
  }
  await leave(keybay)
  await signing
  await vi.waitFor(async () => expect(await listKeys()).toEqual([]), { timeout: 20_000 })
  expect(await keybay.turnkey.session()).toEqual({ status: 'none' })
})
it('signs out while custody is unreachable; the session key left there expires at its date', async () => {
  const { keybay } = await withWallet()
  await sign(keybay, 'x')
  const real = fetch
  vi.stubGlobal('fetch', async (...args: Parameters<typeof fetch>) => {
    if (String(args[0]).startsWith(setup.world.custodyUrl)) throw new TypeError('Failed to fetch')
    return real(...args)
  })
  await keybay.account.signOut()
  expect(await keybay.turnkey.session()).toEqual({ status: 'none' })
  expect(keybay.session.current.status).toBe('anonymous')
})
it('the export window takes the first message only with an access token, or with none', () => {
  const begin = { type: 'begin', exchange: 'x' }
  expect([{}, { token: 'a.b-c.d_e' }].every(more => isBegin({ ...begin, ...more }))).toBe(true)
  expect([1, '', 'a.b', 'a.b.c.d', 'a.b.c d'].some(token => isBegin({ ...begin, token }))).toBe(false)
})
it('the window takes only a whole request to sign', () => {
  const sign = { kind: 'message', address: '1'.repeat(32), contents: [text('Hello')] }
  const reads = (more: object) => isBegin({ type: 'begin', exchange: 'x', sign: { ...sign, ...more } })
  expect(reads({})).toBe(true)
  for (const wrong of [{ kind: 'rawMessage' }, { address: 1 }, { contents: [] }, { contents: ['Hello'] }])
    expect([wrong, reads(wrong)]).toEqual([wrong, false])
})
it('asks for no signature and no passkey where the custody window does not open', async () => {
  const { keybay } = await withWallet({ signingWindow: true })
  await setup.world.takeRequests()
  // This page loads no frames.
  await expect(sign(keybay, 'Hello')).rejects.toMatchObject({ code: 'iframe_load_failed' })
  expect(await setup.world.takeRequests()).toEqual([])
  expect(document.querySelector('iframe, dialog')).toBe(null)
})
it('the export window accepts only complete messages, and derivation paths only for Solana', () => {
  const sealed = { type: 'sealed', exportBundle: '{}', organizationId: 'o', address: 'a', chain: 'SOL' }
  expect(isSealed(sealed)).toBe(true)
  expect(isSealed({ ...sealed, path: "m/44'/501'/0'/0'" })).toBe(true)
  for (const path of ["m/44'/60'/0'/0/0", 'm', 5, "m/44'/501'/x'", `m${"/0'".repeat(11)}`])
    expect([path, isSealed({ ...sealed, path })]).toEqual([path, false])
  expect(isSealed({ ...sealed, chain: 'EVM', path: "m/44'/501'/0'/0'" })).toBe(false)
  expect(isSealed({ ...sealed, chain: 'BTC' })).toBe(false)
  expect(isSealed({ ...sealed, exportBundle: undefined })).toBe(false)
})
it.each([
  ['fit', 240, true],
  ['fit', -1, false],
  ['fit', 1.5, false],
  ['fit', Number.POSITIVE_INFINITY, false],
  ['fit', '240', false],
  ['over', 240, false],
])('reads a window’s height from %s with %s: %s', (type, height, isRead) =>
  expect(isFit({ type, height })).toBe(isRead),
)
it('[S5.9] an export reports a missing container or account before any custody request', async () => {
  const { keybay } = await withWallet()
  const { address } = accountOn(keybay, 'solana:')
  await setup.world.takeRequests()
  const nothing: unknown = {}
  await expect(Reflect.apply(keybay.turnkey.exportKey, undefined, [address, nothing])).rejects.toMatchObject({
    code: 'display_container_missing',
  })
  const displayContainer = document.createElement('div')
  await expect(keybay.turnkey.exportKey('unknown', { displayContainer })).rejects.toMatchObject({
    code: 'account_not_found',
  })
  expect(await setup.world.takeRequests()).toEqual([])
})
it('[S2.3] opens the export window on the host that belongs to the product API’s address', async () => {
  const { keybay } = await withWallet()
  const { address } = accountOn(keybay, 'solana:')
  const displayContainer = document.createElement('div')
  const left = new AbortController()
  const shown = keybay.turnkey.exportKey(address, { displayContainer, signal: left.signal })
  const outcome = shown.catch((error: unknown) => error)
  await expect
    .poll(() => displayContainer.querySelector('iframe')?.src)
    .toMatch(/^http:\/\/wallet\.localhost:4200\/turnkey-export-v1\/local\?/)
  left.abort()
  expect(await outcome).toMatchObject({ code: 'aborted' })
  expect(displayContainer.children).toHaveLength(0)
})
