// @vitest-environment happy-dom
import { toBase64 } from '@keybay/kernel/spec'
import { settle } from '@keybay/kernel/testing'
import bs58 from 'bs58'
import { expect, it, vi } from 'vitest'
import { connect, ID, message, openPage, setUpPhone, transfer } from './support.js'

const world = setUpPhone()

it('ends the session when the mobile wallet no longer knows the app, and the next connect asks the user', async () => {
  const { keybay, sign } = await connect()
  world.phone.wallet.forgetApps()
  await expect(sign()).rejects.toMatchObject({ code: 'mobile_wallet_session_ended' })
  expect(keybay.connections.get(ID)).toBeUndefined()
  await keybay.connect(ID)
  expect(keybay.connections.get(ID)?.accounts).toHaveLength(1)
})
it('follows a changed account, and requests no signature for the previous account', async () => {
  const { keybay, sign } = await connect()
  const before = world.phone.wallet.requests.length
  world.phone.wallet.switchAccount()
  await expect(sign()).rejects.toMatchObject({ code: 'account_not_found' })
  expect(world.phone.wallet.requests.slice(before)).toEqual(['authorize'])
  expect(keybay.connections.get(ID)?.accounts[0]?.address).toBe(world.phone.wallet.address)
  await expect(sign()).rejects.toMatchObject({ code: 'account_not_found' })
  expect(world.phone.wallet.requests).toHaveLength(before + 1)
})
it.each([
  ['authorize', { accounts: [] }],
  ['authorize', { accounts: [{ address: 'AAAA' }] }],
  ['authorize', { auth_token: 7 }],
  ['sign_messages', { signed_payloads: [] }],
  ['sign_messages', { signed_payloads: ['AAAA'] }],
  ['sign_messages', { signed_payloads: [btoa('x'.repeat(80))] }],
  ['sign_messages', { signed_payloads: 'no' }],
])('rejects a mobile-wallet response to %s with %o', async (method, patch) => {
  const change = (requested: string, result: object) => (requested === method ? { ...result, ...patch } : result)
  if (method === 'authorize') {
    world.phone.wallet.change = change
    await expect(connect()).rejects.toMatchObject({ code: 'mobile_wallet_answer_invalid' })
    return
  }
  const { sign } = await connect()
  world.phone.wallet.change = change
  await expect(sign()).rejects.toMatchObject({ code: 'mobile_wallet_answer_invalid' })
})
it('sends mobile-wallet requests in order even if the first takes longer to encrypt', async () => {
  const encrypt = crypto.subtle.encrypt.bind(crypto.subtle)
  const overlapping: string[] = []
  let isFirstOpen = false
  vi.spyOn(crypto.subtle, 'encrypt').mockImplementation(async (algorithm, key, data) => {
    const text = new TextDecoder().decode(data)
    if (isFirstOpen) overlapping.push(text)
    if (text.includes('get_capabilities')) {
      isFirstOpen = true
      await settle() // Without the plugin's queue, the next request would begin now.
      isFirstOpen = false
    }
    return encrypt(algorithm, key, data)
  })
  await connect()
  expect(overlapping).toEqual([])
  expect(world.phone.wallet.requests.slice(-2)).toEqual(['get_capabilities', 'authorize'])
})
it('[S3.1] closes the mobile session and removes the spinner after a message is refused (MESSAGE_SIGNATURE_DENIED)', async () => {
  const { sign } = await connect()
  expect(world.openSockets()).toBe(0)
  world.phone.wallet.user = 'refuses'
  await expect(sign()).rejects.toMatchObject({ code: 'user_rejected', walletCode: 3 })
  await expect.poll(() => world.openSockets()).toBe(0)
  expect(document.body.childElementCount).toBe(0)
})
it('rejects a request as user_rejected when the user dismisses the spinner', async () => {
  const { sign } = await connect()
  world.phone.wallet.user = 'is-away'
  const before = world.phone.wallet.requests.length
  const signing = sign().catch((error: unknown) => error)
  await expect.poll(() => world.phone.wallet.requests.slice(before)).toContain('sign_messages')
  document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }))
  expect(await signing).toMatchObject({ code: 'user_rejected' })
  world.phone.wallet.comesBack()
})
it('rejects a signature of another account than the requested account', async () => {
  const other = { address: btoa(String.fromCharCode(...new Uint8Array(32).fill(1))) }
  world.phone.wallet.change = (_method, result) =>
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
it.each([
  ['that the account did not sign', (address: string) => address],
  ['of another account', () => bs58.encode(new Uint8Array(32).fill(1))],
])('rejects a response with a transaction %s', async (_what, payer) => {
  const { account, features } = await connect()
  const answer = toBase64(transfer(payer(account.address), 2))
  world.phone.wallet.change = (_method, result) =>
    'signed_payloads' in result ? { ...result, signed_payloads: [answer] } : result
  await expect(
    features['solana:signTransaction'].signTransaction({ account, transaction: transfer(account.address, 1) }),
  ).rejects.toMatchObject({ code: 'mobile_wallet_answer_invalid' })
})
it('rejects bytes that are not a transaction and another network before it opens the wallet app', async () => {
  const { account, features } = await connect()
  const { signAndSendTransaction } = features['solana:signAndSendTransaction']
  const chain = 'solana:devnet'
  const broken = { account, transaction: Uint8Array.of(1, 2, 3), chain } as const
  await expect(signAndSendTransaction(broken)).rejects.toMatchObject({ code: 'mobile_wallet_request_invalid' })
  const foreign = { account, transaction: transfer(account.address, 1), chain } as const
  await expect(signAndSendTransaction(foreign)).rejects.toMatchObject({ code: 'config_invalid' })
  expect(world.calls).toHaveLength(1)
})
it('times out when the wallet app goes away during a request', async () => {
  const { sign, clock } = await connect()
  world.phone.wallet.user = 'is-away'
  const count = world.phone.wallet.requests.length
  let error: unknown
  sign().catch(thrown => {
    error = thrown
  })
  await expect.poll(() => world.phone.wallet.requests.slice(count)).toContain('sign_messages')
  world.phone.dropAll()
  await clock.advance(120_000)
  await expect.poll(() => error).toMatchObject({ code: 'connect_timeout' })
  expect(clock.pending()).toBe(0)
})
it('reports that no wallet app is installed, and links to an app', async () => {
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
it('does not open the wallet app when Chrome blocks the page from reaching apps', async () => {
  const { sign } = await connect()
  const permissions = { query: async () => ({ state: 'denied' }) }
  vi.stubGlobal('navigator', Object.create(navigator, { permissions: { value: permissions } }))
  await expect(sign()).rejects.toMatchObject({ code: 'mobile_wallet_blocked' })
  localStorage.clear()
  await expect(connect()).rejects.toMatchObject({ code: 'mobile_wallet_blocked' })
  expect(world.calls).toHaveLength(1)
})
it('does not use a mobile-wallet authorisation of another network', async () => {
  await connect({ cluster: 'devnet' })
  const { keybay } = openPage({ cluster: 'testnet' })
  await keybay.connect(ID)
  expect(world.calls).toHaveLength(2)
})
