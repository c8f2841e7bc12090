// @vitest-environment happy-dom
import { settle } from '@keybay/kernel/testing'
import { describe, expect, it } from 'vitest'
import { iframes, open, until } from './kit.js'
import { standInWallet } from './stand-in-wallet.js'

const address = standInWallet.accountAddress

describe('connecting', () => {
  it('connecting rejects with session_missing while no user is signed in', async () => {
    const { keybay, frames } = open({}, { signedIn: false })
    await expect(keybay.connect('waas')).rejects.toMatchObject({
      code: 'session_missing',
      message: 'Failed to create or restore session: sign in first',
      connectorId: 'waas',
    })
    await expect(keybay.waas.wallets()).rejects.toMatchObject({ code: 'session_missing' })
    expect(frames.loaded).toEqual([])
  })

  it('connecting rejects with account_not_found for a user without a Solana wallet', async () => {
    const { keybay } = open({ getWallets: () => [{ ...standInWallet, chainName: 'BTC' }] })
    await expect(keybay.connect('waas')).rejects.toMatchObject({ code: 'account_not_found' })
  })

  it('lists the embedded wallets as accounts, and signs each operation with the session key', async () => {
    const { keybay, signed, received } = open({ getWallets: () => [standInWallet] })
    const { accounts } = await keybay.connect('waas')
    expect(accounts).toMatchObject([{ address, chains: expect.arrayContaining(['solana:mainnet', 'solana:localnet']) }])
    expect(signed).toEqual([{ operation: 'getWallets', hash: expect.any(String) }])
    expect(received).toEqual([
      ['hidden', 'getWallets', { chainName: 'SOL', authToken: 'token-of-mara', signedSessionId: 'signed getWallets' }],
    ])
  })

  it('closes the connection at a sign-out, and opens it at the next sign-in', async () => {
    const { keybay, kernel, events, signIn } = open({ getWallets: () => [standInWallet] })
    await keybay.connect('waas')
    expect(iframes()).toHaveLength(1)
    await kernel.session.clear()
    await until(() => !keybay.connections.get('waas'))
    expect(events.find(([name]) => name === 'connection:closed')?.[1]).toEqual({ connectorId: 'waas', by: 'wallet' })
    await until(() => !iframes().length)
    await signIn('mara', 'another-token')
    await until(() => keybay.connections.get('waas'))
  })

  it('shows a new user only their own wallets', async () => {
    const other = { ...standInWallet, walletId: 'w9', accountAddress: '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin' }
    const { keybay, signIn } = open({
      getWallets: ({ authToken }) => [authToken === 'token-of-mara' ? standInWallet : other],
    })
    await keybay.connect('waas')
    await signIn('noah', 'token-of-noah')
    await until(() => keybay.connections.get('waas')?.accounts[0]?.address === other.accountAddress)
  })

  it('ignores the response of a frame after an abort and after dispose', async () => {
    const answers: (() => void)[] = []
    const { keybay } = open({ getWallets: () => new Promise(resolve => answers.push(() => resolve([standInWallet]))) })
    const control = new AbortController()
    const cancelled = expect(keybay.connect('waas', undefined, { signal: control.signal })).rejects.toMatchObject({
      code: 'aborted',
    })
    await until(() => answers.length)
    control.abort()
    await cancelled
    answers[0]?.()
    await settle()
    expect(keybay.connections.list()).toEqual([])
    const ended = expect(keybay.connect('waas')).rejects.toMatchObject({ code: 'disposed' })
    await until(() => answers.length > 1)
    keybay.dispose()
    await ended
    answers[1]?.()
    await settle()
    expect([keybay.connections.list().length, iframes().length]).toEqual([0, 0])
  })

  it('announces the wallet to other libraries, which connect and sign by Wallet Standard alone', async () => {
    const { keybay } = open({
      getWallets: () => [standInWallet],
      signMessage: () => ({ signature: new Uint8Array(64) }),
    })
    const registered: unknown[] = []
    window.addEventListener(
      'wallet-standard:register-wallet',
      event => Reflect.get(event, 'detail')({ register: (wallet: unknown) => registered.push(wallet) }),
      { once: true },
    )
    expect(keybay.connectors.announce('waas')).toBe(true)
    const { wallet } = keybay.connectors.get('waas')
    expect(registered).toEqual([wallet])
    const { accounts } = await wallet.features['standard:connect'].connect()
    const [account] = accounts
    if (!account) throw new Error('no account')
    const message = Uint8Array.of(1, 2)
    const [signed] = await wallet.features['solana:signMessage'].signMessage({ account, message })
    expect(signed?.signature).toHaveLength(64)
  })
})

describe('[S8.4] the frame’s errors', () => {
  it('Failed to establish secure token exchange', async () => {
    const { keybay, events } = open({}, { frame: { forgets: () => true } })
    await expect(keybay.connect('waas')).rejects.toMatchObject({
      code: 'token_exchange_failed',
      message: 'Failed to establish secure token exchange',
    })
    expect(events.filter(([name]) => name === 'waas:frame').map(([, payload]) => payload)).toEqual([
      { state: 'loading' },
      { state: 'failed' },
    ])
    expect(iframes()).toEqual([])
  })

  for (const calls of [0, 1])
    it(`Iframe message handler not initialized: the instance was disposed after ${calls} calls`, async () => {
      const { keybay, frames } = open({ getWallets: () => [standInWallet] })
      for (let done = 0; done < calls; done++) await keybay.waas.wallets()
      keybay.dispose()
      await expect(keybay.waas.wallets()).rejects.toThrow('Iframe message handler not initialized')
      expect([frames.loaded.length, iframes().length]).toEqual([calls, 0])
    })
})
