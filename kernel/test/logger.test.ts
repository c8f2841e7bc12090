// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { KeybayError, redact, requestFailed, TROUBLESHOOT_KEY } from '../src/index.js'
import { createLogger, type LogEntry } from '../src/logger.js'
import { host } from './helpers.js'

beforeEach(() => localStorage.clear())
afterEach(() => vi.restoreAllMocks())

describe('levels', () => {
  const quiet = () =>
    (['debug', 'info', 'warn', 'error'] as const).map(level => vi.spyOn(console, level).mockReturnValue())
  it('[S9.5] writes what is at its level or above', () => {
    const [debug, info, warn, error] = quiet()
    const logger = createLogger('warn', () => {})
    for (const level of ['debug', 'info', 'warn', 'error'] as const) logger[level](level)
    expect([debug, info, warn, error].map(spy => spy?.mock.calls.length)).toEqual([0, 0, 1, 1])
  })
  it('[S9.5] is debug by default outside production', () => {
    const [debug] = quiet()
    const { kernel } = host([], { logLevel: undefined })
    kernel.logger.debug('seen')
    expect(debug).toHaveBeenCalledWith('[keybay] seen')
  })
  it('[S9.5] is warn by default in production', () => {
    const [, info, warn] = quiet()
    vi.stubEnv('NODE_ENV', 'production')
    const { kernel } = host([], { logLevel: undefined })
    vi.unstubAllEnvs()
    kernel.logger.info('not seen')
    kernel.logger.warn('seen')
    expect([info?.mock.calls.length, warn?.mock.calls.length]).toEqual([0, 1])
  })
  it('[S9.5] shows everything when the troubleshoot flag is in local storage', () => {
    const [debug] = quiet()
    localStorage.setItem(TROUBLESHOOT_KEY, '1')
    createLogger('error', () => {}).debug('seen')
    expect(debug).toHaveBeenCalledOnce()
  })
})

describe('redaction', () => {
  const jwt = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ1In0.c2lnbmF0dXJl'
  const base58Key = '4'.repeat(88)
  const hexKey = 'ab'.repeat(32)
  it('hides by shape, by type and by name, and leaves what is needed to understand', () => {
    const shown = JSON.stringify(
      redact({
        note: `sent ${jwt} and ${base58Key} and 0x${hexKey}`,
        bytes: new Uint8Array(64),
        nested: { refreshToken: 'r', Password: 'p', seedPhrase: 's', list: [{ keyShare: 'k' }] },
        code: '123456',
        address: '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin',
        amount: 5n,
        error: new KeybayError(requestFailed, { cause: new Error(`at ${jwt}`) }),
      }),
    )
    for (const secret of [jwt, base58Key, hexKey, '"r"', '"p"', '"s"', '"k"', '123456'])
      expect(shown).not.toContain(secret)
    for (const plain of ['64 bytes', '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin', '"5"', 'request_failed'])
      expect(shown).toContain(plain)
  })
  it('survives circles, size and getters that throw', () => {
    const circle: { self?: unknown } = {}
    circle.self = circle
    expect(redact(circle)).toBe('[unreadable]')
    expect(
      redact({
        get x() {
          throw new Error('ha')
        },
      }),
    ).toBe('[unreadable]')
    expect(redact(Array.from({ length: 10_000 }))).toBe('[large]')
    expect(redact(undefined)).toBeUndefined()
    expect(String(redact('x'.repeat(10_000))).length).toBe(2000)
  })
  it('reaches console, event and sink alike', () => {
    const spy = vi.spyOn(console, 'error').mockReturnValue()
    const entries: LogEntry[] = []
    createLogger('debug', entry => entries.push(entry)).error(
      `token ${jwt}`,
      Object.assign(new Error(jwt), { stack: jwt }),
    )
    expect(JSON.stringify([spy.mock.calls, entries])).not.toContain(jwt)
  })
})
