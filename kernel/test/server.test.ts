import { describe, expect, it, vi } from 'vitest'
import { fakeWallet, host, settle, walletConnector } from './helpers.js'

describe('on a server', () => {
  it('a server lists the connectors that plugins declare, and starts no plugin and no timer', async () => {
    expect(typeof window).toBe('undefined')
    const timeout = vi.spyOn(globalThis, 'setTimeout')
    const { keybay, kernel } = host([walletConnector(fakeWallet('w'))])
    const started = vi.fn()
    kernel.onStart(started)
    keybay.connectors.subscribe(() => {})
    expect(keybay.connectors.list().map(c => c.id)).toEqual(['w'])
    expect(keybay.connectors.serverList().map(c => c.id)).toEqual(['w'])
    expect(keybay.connectors.announce('w')).toBe(false)
    await settle()
    expect(started).not.toHaveBeenCalled()
    expect(timeout).not.toHaveBeenCalled()
    expect(keybay.session.current).toEqual({ status: 'anonymous' })
    keybay.dispose()
  })
})
