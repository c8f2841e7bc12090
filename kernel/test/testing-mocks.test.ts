// @vitest-environment happy-dom
/** The mocks themselves: real signatures, and each fault as a host meets it. */
import { describe, expect, it, vi } from 'vitest'
import { createKeybay } from '../src/index.js'
import { fakeClock, type LoginFault, mockLogin, mockWallet, settle, type WalletFault } from '../src/testing/index.js'

let environments = 0

function open(plugin: ReturnType<typeof mockWallet>['plugin'] | ReturnType<typeof mockLogin>['plugin']) {
  environments++
  const clock = fakeClock()
  const keybay = createKeybay({
    appName: 'Test',
    logLevel: 'silent',
    environmentId: `mocks-${environments}`,
    clock,
    plugins: [plugin],
  })
  return { keybay, clock }
}

async function verifies(publicKey: ArrayLike<number>, message: Uint8Array, signature: Uint8Array) {
  const key = await crypto.subtle.importKey('raw', Uint8Array.from(publicKey), 'Ed25519', false, ['verify'])
  return crypto.subtle.verify('Ed25519', key, Uint8Array.from(signature), Uint8Array.from(message))
}

async function connected(mock: ReturnType<typeof mockWallet>) {
  const answer = await mock.wallet.features['standard:connect']?.connect()
  const account = answer?.accounts[0]
  if (!account) throw new Error('No account')
  return account
}

describe('mockWallet', () => {
  it('mockWallet signs messages with the key of its address', async () => {
    const mock = mockWallet()
    const account = await connected(mock)
    expect(account.address).toMatch(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/)
    const message = new TextEncoder().encode('Hello')
    const [signed] = (await mock.wallet.features['solana:signMessage']?.signMessage({ account, message })) ?? []
    expect(signed && (await verifies(account.publicKey, message, signed.signature))).toBe(true)
  })
  it.each(['legacy', 'v0'])(
    'mockWallet fills its own signature in a %s transaction, and leaves the others',
    async version => {
      const mock = mockWallet()
      const account = await connected(mock)
      const payer = new Uint8Array(32).fill(7)
      // Two signers, no read-only signer, one read-only account; three keys; a blockhash; no instruction (and no table).
      const message = Uint8Array.from([
        ...(version === 'v0' ? [0x80] : []),
        ...[2, 0, 1, 3, ...payer, ...account.publicKey, ...new Uint8Array(32)],
        ...new Uint8Array(32).fill(9),
        ...(version === 'v0' ? [0, 0] : [0]),
      ])
      const transaction = Uint8Array.from([2, ...new Uint8Array(64).fill(1), ...new Uint8Array(64), ...message])
      const sign = mock.wallet.features['solana:signTransaction']
      const [signed] = (await sign?.signTransaction({ account, transaction })) ?? []
      const bytes = signed?.signedTransaction ?? new Uint8Array()
      expect(bytes.subarray(0, 65)).toEqual(transaction.subarray(0, 65))
      expect(bytes.subarray(129)).toEqual(message)
      expect(await verifies(account.publicKey, message, bytes.subarray(65, 129))).toBe(true)
      expect(transaction.subarray(65, 129)).toEqual(new Uint8Array(64))
    },
  )
  it('mockWallet refuses a transaction that does not need its signature, and other bytes', async () => {
    const mock = mockWallet()
    const account = await connected(mock)
    const sign = mock.wallet.features['solana:signTransaction']
    const foreign = Uint8Array.from([1, ...new Uint8Array(64), 1, 0, 0, 1, ...new Uint8Array(64), 0])
    await expect(sign?.signTransaction({ account, transaction: foreign })).rejects.toThrow('does not ask')
    const nothing = Uint8Array.from([0xff, 0xff, 0xff])
    await expect(sign?.signTransaction({ account, transaction: nothing })).rejects.toThrow('Not a transaction')
  })
  it.each<[WalletFault, string]>([
    ['refuses-like-phantom', 'user_rejected'],
    ['refuses-like-metamask', 'user_rejected'],
    ['refuses-like-adapter', 'user_rejected'],
    ['locked', 'wallet_locked'],
    ['no-accounts', 'account_not_found'],
    ['throws-in-getters', 'internal'],
  ])('mockWallet with %s rejects connect with %s, and connects when the fault is cleared', async (fault, code) => {
    const mock = mockWallet({ fault })
    const { keybay } = open(mock.plugin)
    await expect(keybay.connect('mock')).rejects.toMatchObject({ name: 'KeybayError', code })
    mock.fault = undefined
    await expect(keybay.connect('mock')).resolves.toMatchObject({ connectorId: 'mock' })
  })
  it('mockWallet with never-answers connects only after `release`', async () => {
    const mock = mockWallet({ fault: 'never-answers' })
    const { keybay } = open(mock.plugin)
    const attempt = keybay.connect('mock')
    await settle()
    expect(keybay.attempts.get('mock')?.status).toBe('connecting')
    await mock.release()
    await expect(attempt).resolves.toMatchObject({ connectorId: 'mock' })
  })
  it('mockWallet with answers-twice opens one connection once, and never changes it', async () => {
    const { keybay } = open(mockWallet({ fault: 'answers-twice' }).plugin)
    const events = vi.fn()
    keybay.onAny(events)
    await keybay.connect('mock')
    await settle()
    const names = events.mock.calls.map(([name]) => name).filter(name => name.startsWith('connection:'))
    expect(names).toEqual(['connection:opening', 'connection:opened'])
  })
  it.each<WalletFault>(['disconnect-throws', 'disconnect-rejects', 'disconnect-never-answers'])(
    'mockWallet with %s does not stop the host from disconnecting',
    async fault => {
      const mock = mockWallet({ fault })
      const { keybay, clock } = open(mock.plugin)
      await keybay.connect('mock')
      const gone = keybay.disconnect('mock')
      expect(keybay.connections.list()).toEqual([])
      await clock.advance(10_000)
      await expect(gone).resolves.toBeUndefined()
      expect(mock.listeners).toBe(0)
    },
  )
  it('mockWallet delays connect by its clock, and switches accounts', async () => {
    const clock = fakeClock()
    const mock = mockWallet({ delay: 500, clock, accounts: 2 })
    const { keybay } = open(mock.plugin)
    const attempt = keybay.connect('mock')
    await clock.advance(499)
    expect(keybay.attempts.get('mock')?.status).toBe('connecting')
    await clock.advance(1)
    await attempt
    const accounts = keybay.connections.get('mock')?.accounts ?? []
    expect(accounts).toHaveLength(2)
    await mock.switchAccount()
    expect(keybay.connections.get('mock')?.accounts).toHaveLength(1)
    expect(keybay.connections.get('mock')?.accounts[0]).not.toBe(accounts[0])
  })
  it('mockWallet leaves out the features in `without`, and records its requests', async () => {
    const mock = mockWallet({ name: 'Acme Wallet', without: ['solana:signMessage', 'standard:disconnect'] })
    expect(Object.keys(mock.wallet.features)).toEqual(['standard:connect', 'standard:events', 'solana:signTransaction'])
    expect(mock.connector.id).toBe('acme-wallet')
    await mock.wallet.features['standard:connect']?.connect({ silent: true })
    expect(mock.wallet.accounts).toEqual([]) // the user has not agreed yet
    await mock.wallet.features['standard:connect']?.connect()
    expect(mock.wallet.accounts).toHaveLength(1)
    expect(mock.requests).toEqual([
      { feature: 'standard:connect', silent: true },
      { feature: 'standard:connect', silent: false },
    ])
  })
})

describe('mockLogin', () => {
  it.each<[LoginFault, string]>([
    ['refuses-like-phantom', 'user_rejected'],
    ['refuses-like-metamask', 'user_rejected'],
    ['refuses-like-adapter', 'user_rejected'],
    ['locked', 'wallet_locked'],
    ['answers-nonsense', 'session_missing'],
    ['throws', 'internal'],
  ])('mockLogin with %s rejects the sign-in with %s', async (fault, code) => {
    const { keybay } = open(mockLogin({ fault }).plugin)
    await expect(keybay.connect('mock-login')).rejects.toMatchObject({ name: 'KeybayError', code })
  })
  it('mockLogin prompts the user, and records its inputs', async () => {
    const mock = mockLogin({ choices: ['work', 'home'], provider: 'google', method: 'oauth' })
    const { keybay } = open(mock.plugin)
    keybay.prompts.subscribe(() => {
      for (const prompt of keybay.prompts.list()) prompt.cancel()
    })
    await expect(keybay.connect('mock-login', { hint: 1 })).rejects.toMatchObject({ code: 'user_rejected' })
    expect(mock.inputs).toEqual([{ hint: 1 }])
    expect(mock.connector).toMatchObject({ kind: 'login', method: 'oauth', provider: 'google' })
  })
})

describe('fakeClock', () => {
  it('fakeClock runs due timers in order, also new ones that become due, cancels timers and returns the time', async () => {
    const clock = fakeClock(1000)
    const seen: string[] = []
    const note = (what: string) => () => {
      seen.push(`${what} ${clock.now()}`)
    }
    clock.after(200, note('second'))
    clock.after(100, () => {
      note('first')()
      clock.after(50, note('between'))
      clock.after(900, note('later'))
    })
    clock.after(150, note('never'))()
    expect(clock.pending()).toBe(2)
    await clock.advance(200)
    expect(seen).toEqual(['first 1100', 'between 1150', 'second 1200'])
    expect(clock.now()).toBe(1200)
    expect(clock.pending()).toBe(1)
  })
})
