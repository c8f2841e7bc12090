// @vitest-environment happy-dom
import { getWallets } from '@wallet-standard/app'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openSandboxWallet } from '../src/index.js'
import { connect, dialog, getChanges, getFeatures, getTitle, press, register, reload } from './page.js'

const REJECTED = { code: 4001, message: 'User rejected the request.' }
const LOCKED = { code: 4100, message: 'The wallet is locked' }

beforeEach(() => localStorage.clear())
afterEach(() => {
  reload()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('registration', () => {
  it('the wallet registers with an app that loaded before it, and unregisters', () => {
    const app = getWallets()
    const handle = register()
    expect(app.get()).toContain(handle.wallet)
    handle.unregister()
    expect(app.get()).not.toContain(handle.wallet)
    expect(document.querySelector('keybay-sandbox-wallet')).toBeNull()
  })
  it('the wallet registers with an app that loads later', () => {
    const { wallet } = register()
    const registered: unknown[] = []
    const detail = { register: (registeredWallet: unknown) => registered.push(registeredWallet) }
    dispatchEvent(new CustomEvent('wallet-standard:app-ready', { detail }))
    expect(registered).toEqual([wallet])
  })
})

describe('connect', () => {
  it('exposes no account before the user approves the connection', async () => {
    const handle = register()
    const changes = getChanges(handle.wallet)
    const answer = getFeatures(handle.wallet)['standard:connect'].connect()
    expect(handle.wallet.accounts).toEqual([])
    expect(getTitle(dialog())).toBe('Connect')
    press('Approve')
    const { accounts } = await answer
    expect(accounts.map(({ address }) => address)).toEqual([handle.addresses[0]])
    expect(handle.wallet.accounts).toBe(accounts)
    expect(changes).toEqual([{ accounts }])
    expect(dialog()).toBeUndefined()
  })
  it('rejects a refused connection with the error of a real wallet', async () => {
    const handle = register()
    const answer = getFeatures(handle.wallet)['standard:connect'].connect()
    press('Reject')
    await expect(answer).rejects.toMatchObject(REJECTED)
    expect(handle.wallet.accounts).toEqual([])
  })
  it('treats a closed connect window as a refusal', async () => {
    const answer = getFeatures(register().wallet)['standard:connect'].connect()
    dialog()?.close()
    await expect(answer).rejects.toMatchObject(REJECTED)
  })
  it('opens a single window for a site that connects twice', async () => {
    const handle = register()
    const { connect } = getFeatures(handle.wallet)['standard:connect']
    const answers = [connect(), connect()]
    press('Approve')
    expect(dialog()).toBeUndefined()
    const [first, second] = await Promise.all(answers)
    expect(first?.accounts).toBe(second?.accounts)
    handle.disconnect()
    void connect().catch(() => {})
    expect(handle.pending?.kind).toBe('connect')
  })
  it('connects a trusted site without asking the user again', async () => {
    const handle = register()
    await connect(handle)
    await getFeatures(handle.wallet)['standard:disconnect'].disconnect()
    expect(handle.wallet.accounts).toEqual([])
    void getFeatures(handle.wallet)['standard:connect'].connect()
    expect(handle.pending).toBeUndefined()
  })
  it('a silent connect opens no window, and returns accounts only to a trusted site of an unlocked wallet', async () => {
    const silently = async (handle: ReturnType<typeof register>) => {
      const { accounts } = await getFeatures(handle.wallet)['standard:connect'].connect({ silent: true })
      expect(dialog()).toBeUndefined()
      return accounts.length
    }
    const first = register()
    expect(await silently(first)).toBe(0)
    await connect(first)
    reload()
    const second = register()
    expect(second.wallet.accounts).toEqual([])
    expect(await silently(second)).toBe(1)
    expect(second.addresses).toEqual(first.addresses)
    reload()
    const third = register()
    third.lock()
    expect(await silently(third)).toBe(0)
    third.unlock()
    expect(await silently(third)).toBe(1)
  })
})

describe('lock', () => {
  it('a locked wallet asks the user to unlock it first, then to approve the request', async () => {
    const handle = register()
    handle.lock()
    const answer = getFeatures(handle.wallet)['standard:connect'].connect()
    expect(getTitle(dialog())).toBe('Unlock wallet')
    press('Unlock')
    await expect.poll(() => getTitle(dialog())).toBe('Connect')
    press('Approve')
    expect((await answer).accounts).toHaveLength(1)
  })
  it('rejects with its own error when the user does not unlock the wallet', async () => {
    const handle = register()
    const account = await connect(handle)
    handle.lock()
    const answer = getFeatures(handle.wallet)['solana:signMessage'].signMessage({ account, message: new Uint8Array(1) })
    press('Reject')
    await expect(answer).rejects.toMatchObject(LOCKED)
  })
  it('rejects a pending request when the wallet is locked', async () => {
    const handle = register()
    const answer = getFeatures(handle.wallet)['standard:connect'].connect()
    handle.lock()
    await expect(answer).rejects.toMatchObject(LOCKED)
    expect(dialog()).toBeUndefined()
  })
  it('approveAll does not unlock a locked wallet', async () => {
    const handle = register({ approveAll: true })
    handle.lock()
    const answer = getFeatures(handle.wallet)['standard:connect'].connect()
    expect(handle.pending?.kind).toBe('unlock')
    handle.unlock()
    expect((await answer).accounts).toHaveLength(1)
  })
})

describe('changes', () => {
  it('notifies a connected site when the user switches accounts', async () => {
    const handle = register({ accounts: 3 })
    await connect(handle)
    const changes = getChanges(handle.wallet)
    handle.switchAccount(2)
    handle.switchAccount(2)
    expect(changes.map(({ accounts }) => accounts?.[0]?.address)).toEqual([handle.addresses[2]])
    expect(handle.wallet.accounts[0]?.address).toBe(handle.addresses[2])
    expect(() => handle.switchAccount(3)).toThrow(RangeError)
  })
  it('does not notify a site that is not connected of account changes', () => {
    const handle = register()
    const changes = getChanges(handle.wallet)
    handle.switchAccount(1)
    handle.addAccount()
    expect(changes).toEqual([])
    expect(handle.addresses).toHaveLength(3)
  })
  it('removes the accounts when the user disconnects the site, and asks again on the next connect', async () => {
    const handle = register()
    await connect(handle)
    const changes = getChanges(handle.wallet)
    handle.disconnect()
    expect(changes).toEqual([{ accounts: [] }])
    void getFeatures(handle.wallet)
      ['standard:connect'].connect()
      .catch(() => {})
    expect(handle.pending?.kind).toBe('connect')
  })
  it('emits a change when its chains or features change', async () => {
    const handle = register()
    const { wallet } = handle
    await connect(handle)
    const changes = getChanges(wallet)
    handle.setChains(['solana:devnet'])
    handle.setFeatures(['standard:connect', 'standard:events', 'solana:signTransaction'])
    expect(changes).toHaveLength(2)
    expect(wallet.chains).toEqual(['solana:devnet'])
    expect(Object.keys(wallet.features)).toEqual(['standard:connect', 'standard:events', 'solana:signTransaction'])
    expect(wallet.accounts[0]).toMatchObject({ chains: ['solana:devnet'], features: ['solana:signTransaction'] })
  })
  it('a listener that throws does not break the wallet, and an unsubscribed listener gets no changes', async () => {
    const reported = vi.fn()
    vi.stubGlobal('reportError', reported)
    const handle = register()
    const { on } = getFeatures(handle.wallet)['standard:events']
    const listener = vi.fn()
    on('change', () => {
      throw new Error('from the site')
    })
    const off = on('change', listener)
    await connect(handle)
    expect(listener).toHaveBeenCalledOnce()
    expect(reported).toHaveBeenCalledOnce()
    off()
    handle.switchAccount(1)
    expect(listener).toHaveBeenCalledOnce()
  })
})

describe('storage', () => {
  it('a silent connect accepts a permission from another tab that becomes readable only after the request', async () => {
    const handle = register()
    const key = 'keybay-sandbox-wallet:keyring'
    const answer = getFeatures(handle.wallet)['standard:connect'].connect({ silent: true })
    const saved = JSON.parse(localStorage.getItem(key) ?? '')
    localStorage.setItem(key, JSON.stringify({ ...saved, trusted: [location.origin] }))
    dispatchEvent(new StorageEvent('storage', { key }))
    expect((await answer).accounts).toHaveLength(1)
  })
  it('the wallet works in memory when storage is blocked', async () => {
    vi.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
      throw new DOMException('blocked', 'SecurityError')
    })
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('blocked', 'SecurityError')
    })
    const handle = register()
    const { address } = await connect(handle)
    expect(handle.addresses[0]).toBe(address)
    handle.addAccount()
    expect(handle.wallet.accounts[0]?.address).toBe(handle.addresses[2])
  })
  it('creates a new keyring when the stored keyring is invalid', () => {
    for (const nonsense of ['{', '{}', '{"secretKeys":["x"],"active":0,"locked":false,"trusted":[]}']) {
      localStorage.setItem('keybay-sandbox-wallet:keyring', nonsense)
      expect(register().addresses).toHaveLength(2)
      reload()
    }
  })
})

describe('requests', () => {
  it('shows requests one at a time, in order', async () => {
    const handle = register()
    const account = await connect(handle)
    const { signMessage } = getFeatures(handle.wallet)['solana:signMessage']
    const text = (words: string) => ({ account, message: new TextEncoder().encode(words) })
    const first = signMessage(text('first'))
    const second = signMessage(text('second'))
    expect(dialog()?.textContent).toContain('first')
    press('Approve')
    expect(dialog()?.textContent).toContain('second')
    press('Reject')
    await expect(first).resolves.toHaveLength(1)
    await expect(second).rejects.toMatchObject(REJECTED)
  })
  it('approve and reject throw when no request is pending', () => {
    const handle = register()
    expect(() => handle.approve()).toThrow('Nothing waits')
    expect(() => handle.reject()).toThrow('Nothing waits')
  })
  it('approveAll approves the pending request and later requests', async () => {
    const handle = register()
    const answer = getFeatures(handle.wallet)['standard:connect'].connect()
    handle.approveAll = true
    await expect(answer).resolves.toMatchObject({ accounts: [{}] })
    expect(dialog()).toBeUndefined()
  })
})

describe('control panel', () => {
  it('the control panel switches and adds accounts, locks, unlocks, disconnects, and copies the address', async () => {
    const handle = register()
    await connect(handle)
    openSandboxWallet()
    const { wallet, addresses } = handle
    expect(getTitle(dialog())).toBe('Sandbox Wallet')
    const [, second] = dialog()?.querySelectorAll<HTMLButtonElement>('.account') ?? []
    second?.click()
    expect(wallet.accounts[0]?.address).toBe(addresses[1])
    press('Add account')
    expect(wallet.accounts[0]?.address).toBe(handle.addresses[2])
    press('Lock wallet')
    press('Unlock wallet')
    const written = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
    press('Copy address')
    expect(written).toHaveBeenCalledWith(handle.addresses[2])
    await expect.poll(() => dialog()?.textContent).toContain('Address copied.')
    press('Disconnect this site')
    expect(wallet.accounts).toEqual([])
    press('Close')
    expect(dialog()).toBeUndefined()
  })
  it('openSandboxWallet says what to do when no wallet is registered', () => {
    expect(() => openSandboxWallet()).toThrow('registerSandboxWallet')
  })
})
