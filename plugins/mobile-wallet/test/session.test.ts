// @vitest-environment happy-dom
import { createKeybay } from '@keybay/kernel'
import { fakeClock } from '@keybay/kernel/testing'
import type { MobilePhone } from '@keybay/sandbox-wallets/mobile'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type MobileWalletOptions, mobileWallet } from '../src/index.js'
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
  phone.wallet.person = 'approves'
  phone.wallet.features = ['solana:signTransactions']
  world = enterPhone(phone)
})
afterEach(() => {
  for (const host of hosts) host.dispose()
  hosts = []
  leavePhone()
})
/** A page that was loaded anew; the one before is gone. */
function open(options: MobileWalletOptions = {}, clock = fakeClock()) {
  for (const host of hosts) host.dispose()
  const keybay = createKeybay({ appName: 'Test', logLevel: 'silent', clock, plugins: [mobileWallet(options)] })
  hosts = [keybay]
  keybay.connectors.list()
  keybay.connections.subscribe(() => {})
  return { keybay, clock, features: keybay.connectors.get(ID).wallet.features }
}

async function connected(options?: MobileWalletOptions) {
  const page = open(options)
  const { accounts } = await page.keybay.connect(ID)
  const [account] = accounts
  if (!account) throw new Error('There is an account')
  return { ...page, account }
}
const message = new TextEncoder().encode('Grüezi')

describe('on Android Chrome', () => {
  it('connects with what the specification says, and shows the app by its name', async () => {
    const { account } = await connected({ cluster: 'devnet' })
    expect(account).toMatchObject({ address: phone.wallet.address, chains: ['solana:devnet'], label: 'Sandbox phone' })
    expect([...phone.wallet.apps.values()]).toEqual([location.origin])
    expect(world.calls).toHaveLength(1)
    expect(world.calls[0]).toMatch(/^solana-wallet:\/v1\/associate\/local\?association=[\w.-]{88}&port=\d{5}&v=v1$/)
  })
  it('stays connected over a reload, without calling the app', async () => {
    await connected()
    const { keybay } = open()
    await vi.waitFor(() => expect(keybay.connections.get(ID)?.accounts[0]?.address).toBe(phone.wallet.address))
    expect(world.calls).toHaveLength(1)
  })
  it('signs messages, several with one question; they verify', async () => {
    const { account, features } = await connected()
    const inputs = [message, Uint8Array.of(0, 255)].map(one => ({ account, message: one }))
    const outputs = await features['solana:signMessage'].signMessage(...inputs)
    expect(outputs).toHaveLength(2)
    for (const [index, { signedMessage, signature }] of outputs.entries()) {
      expect(signedMessage).toEqual(inputs[index]?.message)
      expect(await verifies(account.address, signature, signedMessage)).toBe(true)
    }
    expect(world.calls).toHaveLength(2)
  })
  it('signs transactions; each use of the authorisation renews it', async () => {
    const { account, features } = await connected()
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
  it('a wallet that only sends says so; one that cannot send says that', async () => {
    phone.wallet.features = []
    const { account, features } = await connected()
    const transaction = transfer(account.address, 1)
    await expect(features['solana:signTransaction'].signTransaction({ account, transaction })).rejects.toMatchObject({
      code: 'feature_missing',
    })
    const chain = 'solana:mainnet'
    await expect(
      features['solana:signAndSendTransaction'].signAndSendTransaction({ account, transaction, chain }),
    ).rejects.toMatchObject({ code: 'mobile_wallet_not_sent' }) // this phone has no chain
  })
  it('signs in by one trip', async () => {
    const { keybay } = open()
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
  })
  it('a disconnect forgets the authorisation and takes it back from the wallet', async () => {
    const { keybay } = await connected()
    expect(phone.wallet.apps.size).toBe(1)
    await keybay.disconnect(ID)
    expect(phone.wallet.apps.size).toBe(0)
    expect(phone.wallet.asked.at(-1)).toBe('deauthorize')
    expect(JSON.stringify(localStorage)).not.toContain('mobile-wallet:')
    const again = open()
    await again.keybay.connect(ID)
    expect(phone.wallet.apps.size).toBe(1)
  })
  it('keeps nothing of the authorisation in the clear', async () => {
    const { account, features } = await connected()
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

describe('on a bad day', () => {
  it.each([
    [() => connected(), 'connect'],
    [
      async () => {
        const { account, features } = await connected()
        phone.wallet.person = 'refuses'
        return features['solana:signMessage'].signMessage({ account, message })
      },
      'sign',
    ],
  ])('a refusal is user_rejected', async (act, when) => {
    if (when === 'connect') phone.wallet.person = 'refuses'
    await expect(act()).rejects.toMatchObject({ code: 'user_rejected', connectorId: ID })
  })
  it('the wallet has forgotten the app: the session is over, and the next connect asks', async () => {
    const { account, keybay, features } = await connected()
    phone.wallet.forgetApps()
    await expect(features['solana:signMessage'].signMessage({ account, message })).rejects.toMatchObject({
      code: 'mobile_wallet_session_ended',
    })
    expect(keybay.connections.get(ID)).toBeUndefined()
    await keybay.connect(ID)
    expect(keybay.connections.get(ID)?.accounts).toHaveLength(1)
  })
  it('another account in the wallet: the connection follows, and nothing is signed for the one before', async () => {
    const { account, keybay, features } = await connected()
    phone.wallet.switchAccount()
    await expect(features['solana:signMessage'].signMessage({ account, message })).rejects.toMatchObject({
      code: 'account_not_found',
    })
    expect(keybay.connections.get(ID)?.accounts[0]?.address).toBe(phone.wallet.address)
    await expect(features['solana:signMessage'].signMessage({ account, message })).rejects.toMatchObject({
      code: 'account_not_found',
    })
  })
  it.each([
    ['authorize', { accounts: [] }],
    ['authorize', { accounts: [{ address: 'AAAA' }] }],
    ['authorize', { auth_token: 7 }],
    ['sign_messages', { signed_payloads: [] }],
    ['sign_messages', { signed_payloads: ['AAAA'] }],
    ['sign_messages', { signed_payloads: [btoa('x'.repeat(80))] }],
    ['sign_messages', { signed_payloads: 'no' }],
  ])('%s answered with %o is no answer', async (method, patch) => {
    const change = (asked: string, result: object) => (asked === method ? { ...result, ...patch } : result)
    if (method === 'authorize') {
      phone.wallet.change = change
      await expect(connected()).rejects.toMatchObject({ code: 'mobile_wallet_answer_invalid' })
      return
    }
    const { account, features } = await connected()
    phone.wallet.change = change
    await expect(features['solana:signMessage'].signMessage({ account, message })).rejects.toMatchObject({
      code: 'mobile_wallet_answer_invalid',
    })
  })
  it('another network than the connected one is refused before the app is called', async () => {
    const { account, features } = await connected()
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
  it('the app goes away in the middle: nobody waits for ever', async () => {
    const { account, features, clock } = await connected()
    phone.wallet.person = 'is-away'
    const count = phone.wallet.asked.length
    let error: unknown
    features['solana:signMessage'].signMessage({ account, message }).catch(thrown => {
      error = thrown
    })
    await vi.waitFor(() => expect(phone.wallet.asked.slice(count)).toContain('sign_messages'))
    phone.dropAll()
    await clock.advance(120_000)
    await vi.waitFor(() => expect(error).toMatchObject({ code: 'connect_timeout' }))
    expect(clock.pending()).toBe(0)
  })
  it('no app takes the call: where to get one is said', async () => {
    world.installed = false
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const failing = connected().catch((error: unknown) => error)
      while (!world.calls.length) await vi.advanceTimersByTimeAsync(1)
      await vi.advanceTimersByTimeAsync(3000) // the library’s patience
      expect(await failing).toMatchObject({ code: 'mobile_wallet_not_found', connectorId: ID })
    } finally {
      vi.useRealTimers()
    }
    expect(open().keybay.connectors.get(ID).installUrl).toBe('https://solanamobile.com/wallets')
  })
  it('Chrome was told not to let the page talk to apps: the app is not called', async () => {
    vi.stubGlobal(
      'navigator',
      Object.create(navigator, { permissions: { value: { query: async () => ({ state: 'denied' }) } } }),
    )
    await expect(connected()).rejects.toMatchObject({ code: 'mobile_wallet_blocked' })
    expect(world.calls).toEqual([])
  })
  it('an authorisation is for one network: on another the user connects anew', async () => {
    await connected({ cluster: 'devnet' })
    const { keybay } = open({ cluster: 'testnet' })
    await keybay.connect(ID)
    expect(world.calls).toHaveLength(2)
  })
})

it('is listed only where it can work', () => {
  const readiness = (userAgent: string) => {
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(userAgent)
    return open().keybay.connectors.get(ID).readiness
  }
  const android = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko)'
  expect(readiness(`${android} Chrome/140.0.0.0 Mobile Safari/537.36`)).toBe('ready')
  expect(readiness(`Mozilla/5.0 (Linux; Android 15; Pixel 9; wv) Version/4.0 Chrome/140.0.0.0 Mobile`)).toBe(
    'unsupported',
  )
  expect(readiness('Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0')).toBe('unsupported')
  expect(readiness('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) CriOS/140.0 Mobile')).toBe('unsupported')
  expect(readiness('Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0.0.0')).toBe('unsupported')
  Reflect.set(window, 'isSecureContext', false)
  expect(readiness(`${android} Chrome/140.0.0.0 Mobile Safari/537.36`)).toBe('unsupported')
})
