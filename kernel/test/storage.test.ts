// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createStorage } from '../src/storage.js'
import { fakeWallet, host, settle, walletConnector } from './helpers.js'

beforeEach(() => localStorage.clear())
afterEach(() => vi.restoreAllMocks())

describe('storage', () => {
  it('keeps storage namespaces apart, and keeps values after the instance is gone', async () => {
    const fault = vi.fn()
    await createStorage('a', fault).set('k', { x: 1 })
    expect(await createStorage('a', fault).get('k')).toEqual({ x: 1 })
    expect(await createStorage('b', fault).get('k')).toBeUndefined()
    const again = createStorage('a', fault)
    await again.remove('k')
    expect(await again.get('k')).toBeUndefined()
    expect(again.persistent).toBe(true)
    expect(fault).not.toHaveBeenCalled()
  })
  it('createStorage does not touch storage before its first use', () => {
    const spy = vi.spyOn(Storage.prototype, 'setItem')
    createStorage('a', () => {})
    expect(spy).not.toHaveBeenCalled()
  })
  it('survives an exceeded quota: the value stays in memory and shadows the stored value', async () => {
    const real = new Map<string, string>()
    let full = false
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => real.get(key) ?? null,
      removeItem: (key: string) => real.delete(key),
      setItem: (key: string, value: string) => {
        if (full) throw new DOMException('full', 'QuotaExceededError')
        real.set(key, value)
      },
    })
    const fault = vi.fn()
    const storage = createStorage('a', fault)
    await storage.set('k', 'old')
    full = true
    await storage.set('k', 'new')
    expect(await storage.get('k')).toBe('new')
    expect(fault).toHaveBeenCalledOnce()
    full = false
    await storage.set('k', 'newer')
    expect(await createStorage('a', fault).get('k')).toBe('newer')
    vi.unstubAllGlobals()
  })
  it('survives blocked storage and unreadable values, and reports that storage is not persistent', async () => {
    localStorage.setItem('keybay:a:bad', '{')
    expect(await createStorage('a', () => {}).get('bad')).toBeUndefined()
    vi.spyOn(globalThis, 'localStorage', 'get').mockImplementation(() => {
      throw new DOMException('blocked', 'SecurityError')
    })
    const fault = vi.fn()
    const storage = createStorage('a', fault)
    await storage.set('k', 1)
    expect(await storage.get('k')).toBe(1)
    expect(storage.persistent).toBe(false)
    expect(fault).toHaveBeenCalled()
  })
  it('storage never throws, and treats a value that JSON cannot hold as absent', async () => {
    const fault = vi.fn()
    const storage = createStorage('a', fault)
    await storage.set('k', 1)
    await storage.set('k', undefined)
    expect(await storage.get('k')).toBeUndefined()
    expect(fault).not.toHaveBeenCalled()
    await storage.set('k', 1n)
    expect(fault).toHaveBeenCalledOnce()
  })
  it('connects a wallet while every access to storage throws', async () => {
    vi.spyOn(globalThis, 'localStorage', 'get').mockImplementation(() => {
      throw new DOMException('blocked', 'SecurityError')
    })
    const { keybay } = host([walletConnector(fakeWallet('w'))])
    await expect(keybay.connect('w')).resolves.toMatchObject({ connectorId: 'w' })
    await settle()
    expect(keybay.connections.list()).toHaveLength(1)
  })
})
