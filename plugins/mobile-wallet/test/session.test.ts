// @vitest-environment happy-dom
import { createKeybay } from '@keybay/kernel'
import { fakeClock } from '@keybay/kernel/testing'
import { type MobileWalletOptions, mobileWallet } from '@keybay/mobile-wallet'
import type { MobilePhone } from '@keybay/sandbox-wallets/mobile'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { transfer, verifies } from './signatures.js'
import { enterPhone, leavePhone, startMobilePhone, type World } from './support.js'

const ID = 'mobile-wallet'
let phone: MobilePhone
let world: World
let hosts: { dispose(): void }[] = []
beforeAll(async () => {
  phone = await startMobilePhone()
})
afterAll(() => phone.stop())
beforeEach(() => {
  localStorage.clear()
  phone.wallet.forgetApps()
  phone.wallet.change = undefined
  phone.wallet.user = 'approves'
  phone.wallet.features = ['solana:signTransactions']
  world = enterPhone(phone)
})
afterEach(() => {
  for (const host of hosts) host.dispose()
  hosts = []
  leavePhone()
})
/** Loads the page again; the previous page is gone. */
function openPage(options: MobileWalletOptions = {}, clock = fakeClock()) {
  for (const host of hosts) host.dispose()
  const keybay = createKeybay({ appName: 'Test', logLevel: 'silent', clock, plugins: [mobileWallet(options)] })
  hosts = [keybay]
  keybay.connectors.list()
  keybay.connections.subscribe(() => {})
  return { keybay, clock, features: keybay.connectors.get(ID).wallet.features }
}

async function connect(options?: MobileWalletOptions) {
  const page = openPage(options)
  const { accounts } = await page.keybay.connect(ID)
  const [account] = accounts
  if (!account) throw new Error('The wallet gave no account')
  return { ...page, account }
}
const message = new TextEncoder().encode('Grüezi')

describe('on Android Chrome', () => {
  it('opens the app by the address of the specification and connects', async () => {
    const { account } = await connect({ cluster: 'devnet' })
    expect(account).toMatchObject({ address: phone.wallet.address, chains: ['solana:devnet'], label: 'Sandbox phone' })
    expect([...phone.wallet.apps.values()]).toEqual([location.origin])
    expect(world.calls).toHaveLength(1)
    expect(world.calls[0]).toMatch(/^solana-wallet:\/v1\/associate\/local\?association=[\w.-]{88}&port=\d{5}&v=v1$/)
  })
  it('stays connected after a reload without opening the app', async () => {
    await connect()
    const { keybay } = openPage()
    await vi.waitFor(() => expect(keybay.connections.get(ID)?.accounts[0]?.address).toBe(phone.wallet.address))
    expect(world.calls).toHaveLength(1)
  })
  it('signs several messages in one trip', async () => {
    const { account, features } = await connect()
    const inputs = [message, Uint8Array.of(0, 255)].map(bytes => ({ account, message: bytes }))
    const outputs = await features['solana:signMessage'].signMessage(...inputs)
    expect(outputs).toHaveLength(2)
    for (const [index, { signedMessage, signature }] of outputs.entries()) {
      expect(signedMessage).toEqual(inputs[index]?.message)
      expect(await verifies(account.address, signature, signedMessage)).toBe(true)
    }
    expect(world.calls).toHaveLength(2)
  })
  it('signs transactions in one trip and renews the authorisation with each trip', async () => {
    const { account, features } = await connect()
    const [first] = phone.wallet.apps.keys()
    const inputs = [1, 2].map(lamports => ({ account, transaction: transfer(account.address, lamports) }))
    const outputs = await features['solana:signTransaction'].signTransaction(...inputs)
    for (const [index, { signedTransaction }] of outputs.entries()) {
      const given = inputs[index]?.transaction ?? new Uint8Array()
      expect(signedTransaction.slice(65)).toEqual(given.slice(65))
      expect(await verifies(account.address, signedTransaction.slice(1, 65), signedTransaction.slice(65))).toBe(true)
    }
    const [second] = phone.wallet.apps.keys()
    expect(second).not.toBe(first)
    await features['solana:signMessage'].signMessage({ account, message })
    expect(phone.wallet.apps.size).toBe(1)
  })
  it('reports a wallet that cannot sign without sending, and a transaction that the wallet cannot send', async () => {
    phone.wallet.features = []
    const { account, features } = await connect()
    const transaction = transfer(account.address, 1)
    await expect(features['solana:signTransaction'].signTransaction({ account, transaction })).rejects.toMatchObject({
      code: 'feature_missing',
    })
    const chain = 'solana:mainnet'
    await expect(
      features['solana:signAndSendTransaction'].signAndSendTransaction({ account, transaction, chain }),
    ).rejects.toMatchObject({ code: 'mobile_wallet_not_sent' }) // this phone has no chain
  })
  it('signs in with one trip, and again with a new proof', async () => {
    const { keybay } = openPage()
    const { 'solana:signIn': feature } = keybay.connectors.get(ID).wallet.features
    const [output] = (await feature?.signIn({ domain: 'acme.example', nonce: 'abcdefgh', statement: 'Hello.' })) ?? []
    if (!output) throw new Error('There is a proof')
    const text = new TextDecoder().decode(output.signedMessage)
    expect(text).toContain(
      `acme.example wants you to sign in with your Solana account:\n${phone.wallet.address}\n\nHello.`,
    )
    expect(text).toContain('Nonce: abcdefgh')
    expect(await verifies(phone.wallet.address, output.signature, output.signedMessage)).toBe(true)
    await keybay.connect(ID)
    expect(world.calls).toHaveLength(1)
    const [second] = (await feature?.signIn({ domain: 'acme.example', nonce: 'ijklmnop' })) ?? []
    expect(new TextDecoder().decode(second?.signedMessage)).toContain('Nonce: ijklmnop')
  })
  it('forgets the authorisation and revokes it in the wallet on disconnect', async () => {
    const { keybay } = await connect()
    expect(phone.wallet.apps.size).toBe(1)
    await keybay.disconnect(ID)
    expect(phone.wallet.apps.size).toBe(0)
    expect(phone.wallet.requests.at(-1)).toBe('deauthorize')
    expect(JSON.stringify(localStorage)).not.toContain('mobile-wallet:')
    const again = openPage()
    await again.keybay.connect(ID)
    expect(phone.wallet.apps.size).toBe(1)
  })
  it('stores the authorisation sealed', async () => {
    const { account, features } = await connect()
    const scan = () => JSON.stringify({ ...localStorage })
    for (const step of [async () => [], () => features['solana:signMessage'].signMessage({ account, message })]) {
      await step()
      const [token = ''] = phone.wallet.apps.keys()
      expect(token).toHaveLength(43)
      expect(scan()).toContain('mobile-wallet:authorisation')
      expect(scan()).not.toContain(token)
    }
  })
})

describe('errors', () => {
  it.each([
    [() => connect(), 'connect'],
    [
      async () => {
        const { account, features } = await connect()
        phone.wallet.user = 'refuses'
        return features['solana:signMessage'].signMessage({ account, message })
      },
      'sign',
    ],
  ])('reports a refusal as user_rejected', async (act, when) => {
    if (when === 'connect') phone.wallet.user = 'refuses'
    await expect(act()).rejects.toMatchObject({ code: 'user_rejected', connectorId: ID })
  })
  it('ends the session when the wallet no longer knows the app; the next connect asks the user', async () => {
    const { account, keybay, features } = await connect()
    phone.wallet.forgetApps()
    await expect(features['solana:signMessage'].signMessage({ account, message })).rejects.toMatchObject({
      code: 'mobile_wallet_session_ended',
    })
    expect(keybay.connections.get(ID)).toBeUndefined()
    await keybay.connect(ID)
    expect(keybay.connections.get(ID)?.accounts).toHaveLength(1)
  })
  it('follows a changed account and asks the wallet to sign nothing for the previous one', async () => {
    const { account, keybay, features } = await connect()
    const before = phone.wallet.requests.length
    phone.wallet.switchAccount()
    await expect(features['solana:signMessage'].signMessage({ account, message })).rejects.toMatchObject({
      code: 'account_not_found',
    })
    expect(phone.wallet.requests.slice(before)).toEqual(['authorize'])
    expect(keybay.connections.get(ID)?.accounts[0]?.address).toBe(phone.wallet.address)
    await expect(features['solana:signMessage'].signMessage({ account, message })).rejects.toMatchObject({
      code: 'account_not_found',
    })
    expect(phone.wallet.requests).toHaveLength(before + 1)
  })
  it.each([
    ['authorize', { accounts: [] }],
    ['authorize', { accounts: [{ address: 'AAAA' }] }],
    ['authorize', { auth_token: 7 }],
    ['sign_messages', { signed_payloads: [] }],
    ['sign_messages', { signed_payloads: ['AAAA'] }],
    ['sign_messages', { signed_payloads: [btoa('x'.repeat(80))] }],
    ['sign_messages', { signed_payloads: 'no' }],
  ])('rejects a response to %s with %o', async (method, patch) => {
    const change = (requested: string, result: object) => (requested === method ? { ...result, ...patch } : result)
    if (method === 'authorize') {
      phone.wallet.change = change
      await expect(connect()).rejects.toMatchObject({ code: 'mobile_wallet_answer_invalid' })
      return
    }
    const { account, features } = await connect()
    phone.wallet.change = change
    await expect(features['solana:signMessage'].signMessage({ account, message })).rejects.toMatchObject({
      code: 'mobile_wallet_answer_invalid',
    })
  })
  it('sends requests in order even if the first takes longer to encrypt', async () => {
    const encrypt = crypto.subtle.encrypt.bind(crypto.subtle)
    vi.spyOn(crypto.subtle, 'encrypt').mockImplementation(async (algorithm, key, data) => {
      const sealed = await encrypt(algorithm, key, data)
      if (new TextDecoder().decode(data).includes('get_capabilities')) await new Promise(go => setTimeout(go, 50))
      return sealed
    })
    await connect()
    expect(phone.wallet.requests.slice(-2)).toEqual(['get_capabilities', 'authorize'])
  })
  it('closes the session and removes the client library’s spinner after a refusal', async () => {
    const { account, features } = await connect()
    expect(world.openSockets()).toBe(0)
    phone.wallet.user = 'refuses'
    await expect(features['solana:signMessage'].signMessage({ account, message })).rejects.toThrow()
    await vi.waitFor(() => expect(world.openSockets()).toBe(0))
    expect(document.body.childElementCount).toBe(0)
  })
  it('rejects as user_rejected when the user dismisses the spinner', async () => {
    const { account, features } = await connect()
    phone.wallet.user = 'is-away'
    const before = phone.wallet.requests.length
    const signing = features['solana:signMessage'].signMessage({ account, message }).catch((error: unknown) => error)
    await vi.waitFor(() => expect(phone.wallet.requests.slice(before)).toContain('sign_messages'))
    document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }))
    expect(await signing).toMatchObject({ code: 'user_rejected' })
    phone.wallet.comesBack()
  })
  it('rejects a signature of another account than the requested one', async () => {
    const other = { address: btoa(String.fromCharCode(...new Uint8Array(32).fill(1))) }
    phone.wallet.change = (_method, result) =>
      'accounts' in result && Array.isArray(result.accounts)
        ? { ...result, accounts: [...result.accounts, other] }
        : result
    const { keybay, features } = await connect()
    const [, second] = keybay.connections.get(ID)?.accounts ?? []
    if (!second) throw new Error('The wallet gave one account only')
    await expect(features['solana:signMessage'].signMessage({ account: second, message })).rejects.toMatchObject({
      code: 'mobile_wallet_answer_invalid',
    })
  })
  it('reports bytes that are no transaction before it opens the app', async () => {
    const { account, features } = await connect()
    const transaction = Uint8Array.of(1, 2, 3)
    await expect(features['solana:signTransaction'].signTransaction({ account, transaction })).rejects.toMatchObject({
      code: 'mobile_wallet_request_invalid',
    })
    expect(world.calls).toHaveLength(1)
  })
  it('rejects another network than the connected one before it opens the app', async () => {
    const { account, features } = await connect()
    const transaction = transfer(account.address, 1)
    await expect(
      features['solana:signAndSendTransaction'].signAndSendTransaction({
        account,
        transaction,
        chain: 'solana:devnet',
      }),
    ).rejects.toMatchObject({ code: 'config_invalid' })
    expect(world.calls).toHaveLength(1)
  })
  it('times out when the app goes away during a request', async () => {
    const { account, features, clock } = await connect()
    phone.wallet.user = 'is-away'
    const count = phone.wallet.requests.length
    let error: unknown
    features['solana:signMessage'].signMessage({ account, message }).catch(thrown => {
      error = thrown
    })
    await vi.waitFor(() => expect(phone.wallet.requests.slice(count)).toContain('sign_messages'))
    phone.dropAll()
    await clock.advance(120_000)
    await vi.waitFor(() => expect(error).toMatchObject({ code: 'connect_timeout' }))
    expect(clock.pending()).toBe(0)
  })
  it('reports that no app is installed, and links to one', async () => {
    world.installed = false
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const failing = connect().catch((error: unknown) => error)
      while (!world.calls.length) await vi.advanceTimersByTimeAsync(1)
      await vi.advanceTimersByTimeAsync(3000) // the client library waits this long for an app
      expect(await failing).toMatchObject({ code: 'mobile_wallet_not_found', connectorId: ID })
    } finally {
      vi.useRealTimers()
    }
    expect(openPage().keybay.connectors.get(ID).installUrl).toBe('https://solanamobile.com/wallets')
  })
  it('does not open the app to connect or sign when Chrome blocks the page from reaching apps', async () => {
    const { account, features } = await connect()
    const permissions = { query: async () => ({ state: 'denied' }) }
    vi.stubGlobal('navigator', Object.create(navigator, { permissions: { value: permissions } }))
    await expect(features['solana:signMessage'].signMessage({ account, message })).rejects.toMatchObject({
      code: 'mobile_wallet_blocked',
    })
    localStorage.clear()
    await expect(connect()).rejects.toMatchObject({ code: 'mobile_wallet_blocked' })
    expect(world.calls).toHaveLength(1)
  })
  it('does not use an authorisation of another network', async () => {
    await connect({ cluster: 'devnet' })
    const { keybay } = openPage({ cluster: 'testnet' })
    await keybay.connect(ID)
    expect(world.calls).toHaveLength(2)
  })
})

it('is ready only in Chrome on Android, on a secure page', () => {
  const readReadiness = (userAgent: string) => {
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(userAgent)
    return openPage().keybay.connectors.get(ID).readiness
  }
  const android = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko)'
  expect(readReadiness(`${android} Chrome/140.0.0.0 Mobile Safari/537.36`)).toBe('ready')
  expect(readReadiness(`Mozilla/5.0 (Linux; Android 15; Pixel 9; wv) Version/4.0 Chrome/140.0.0.0 Mobile`)).toBe(
    'unsupported',
  )
  expect(readReadiness('Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0')).toBe('unsupported')
  expect(readReadiness('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) CriOS/140.0 Mobile')).toBe('unsupported')
  expect(readReadiness('Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0.0.0')).toBe('unsupported')
  Reflect.set(window, 'isSecureContext', false)
  expect(readReadiness(`${android} Chrome/140.0.0.0 Mobile Safari/537.36`)).toBe('unsupported')
})
