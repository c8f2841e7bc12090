// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { KeybayError, redact, requestFailed, TROUBLESHOOT_KEY, toKeybayError } from '../src/index.js'
import { createLogger, type LogEntry } from '../src/logger.js'
import { host } from './helpers.js'

beforeEach(() => localStorage.clear())
afterEach(() => vi.restoreAllMocks())

describe('levels', () => {
  const quiet = () =>
    (['debug', 'info', 'warn', 'error'] as const).map(level => vi.spyOn(console, level).mockReturnValue())
  it('[S9.5] logs entries at the configured level or above', () => {
    const [debug, info, warn, error] = quiet()
    const logger = createLogger('warn', () => {})
    for (const level of ['debug', 'info', 'warn', 'error'] as const) logger[level](level)
    expect([debug, info, warn, error].map(spy => spy?.mock.calls.length)).toEqual([0, 0, 1, 1])
  })
  it('[S9.5] the log level is debug by default outside production', () => {
    const [debug] = quiet()
    const { kernel } = host([], { logLevel: undefined })
    kernel.logger.debug('seen')
    expect(debug).toHaveBeenCalledWith('[keybay] seen')
  })
  it('[S9.5] the log level is warn by default in production', () => {
    const [, info, warn] = quiet()
    vi.stubEnv('NODE_ENV', 'production')
    const { kernel } = host([], { logLevel: undefined })
    vi.unstubAllEnvs()
    kernel.logger.info('not seen')
    kernel.logger.warn('seen')
    expect([info?.mock.calls.length, warn?.mock.calls.length]).toEqual([0, 1])
  })
  it('[S9.5] logs everything when the troubleshoot flag is in local storage', () => {
    const [debug] = quiet()
    localStorage.setItem(TROUBLESHOOT_KEY, '1')
    createLogger('error', () => {}).debug('seen')
    expect(debug).toHaveBeenCalledOnce()
  })
})

describe('redaction', () => {
  /** 32 bytes in base64url. */
  const TOKEN = 'Ik3mZqT7cVw9xYb2nRj5sLd8fGh1pQa4uEo6tWi0zKx'
  const jwt = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ1In0.c2lnbmF0dXJl'
  const base58Key = '4'.repeat(88)
  const hexKey = 'ab'.repeat(32)
  it('redacts secrets by shape, type and name, and leaves the fields that explain an entry', () => {
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
  it('redacts circular values, large values and getters that throw', () => {
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
    expect(String(redact('x '.repeat(5000))).length).toBe(2000)
  })
  it.each([
    ['an address with a code', new URL('https://a.example/back?code=s3cr3t&state=x')],
    ['a sentence with an address', 'at https://a.example/?x=1&access_token=s3cr3t#y'],
    ['a fragment', 'https://a.example/#id_token=s3cr3t&x=1'],
    ['a Buffer, which has a toJSON', Object.assign(new Uint8Array([115, 51]), { toJSON: () => 's3cr3t' })],
    ['a code beside a name', { name: 'Ann', code: 's3cr3t' }],
    ['a cause of a cause', new Error('a', { cause: new Error('b', { cause: { password: 's3cr3t' } }) })],
    ['what an error carries', Object.assign(new TypeError('x'), { config: { headers: { Authorization: 's3cr3t' } } })],
    ['a one-time code beside a message', { code: '073053', message: 'sent' }, '073053'],
    ['a refresh token', `sent 1f0c3a52-9b1e-4c55-8d0e-3a7b5c9d2e11.7.${TOKEN}`, TOKEN],
    ['an API token', `sent kb_${TOKEN}`, TOKEN],
    ['an MFA token', `sent ${TOKEN.replace('k', '-')}`, TOKEN.slice(10)],
    ['an MFA token that starts with a dash', `sent -${TOKEN.slice(1)}`, TOKEN.slice(10)],
  ])('redacts secrets in %s', (_what, meta, secret = 's3cr3t') => {
    expect(JSON.stringify(redact({ meta }))).not.toContain(secret)
  })
  it('leaves error codes beside a message, IDs and the names of files', () => {
    for (const plain of [
      { code: 'user_rejected', message: 'no' },
      { code: 4001, message: 'no' },
      '1f0c3a52-9b1e-4c55-8d0e-3a7b5c9d2e11',
      'at connect (https://app.example/node_modules/.vite/deps/@keybay_kernel.js:12:9)',
    ])
      expect(redact(plain)).toEqual(plain)
  })
  it('redacts a seed phrase and base64 keys, and leaves sentences and addresses', () => {
    const seed = 'abandon ability able about above absent absorb abstract absurd abuse access accident'
    const base64 = (bytes: number) => btoa('\u00e9'.repeat(bytes))
    for (const secret of [seed, base64(32), base64(64)])
      expect(redact(`is ${secret}, no?`)).not.toContain(secret.slice(2, 20))
    const sentence = 'The wallet did not answer in time, and the connection to it was closed by the host.'
    expect(redact(sentence)).toBe(sentence)
  })
  it('leaves no fragment of a secret where it truncates a text', () => {
    for (const secret of [base58Key, hexKey, jwt])
      for (let before = 1900; before < 2000; before++) {
        const shown = String(redact(`${'x '.repeat(before).slice(0, before)} ${secret}`))
        expect(shown).not.toContain(secret.slice(0, 12))
      }
  })
  it('redacts texts crafted to slow it down within 1 s of processor time', () => {
    const parts = ['eyJ-', 'eyJ.', 'a'.repeat(85).concat(' '), 'abandon ', 'token=', '0x', 'A+', 'a', 'a-', 'a.']
    const nasty = parts.map(part => part.repeat(19_999 / part.length))
    const before = process.cpuUsage()
    redact(nasty)
    expect(process.cpuUsage(before).user).toBeLessThan(1e6)
  })
  it('redacts the text of a wallet’s error before it becomes an error message', () => {
    expect(toKeybayError(new Error(`bad ${jwt}`)).message).not.toContain(jwt)
  })
  it('redacts secrets in the console, in events and in the sink', () => {
    const spy = vi.spyOn(console, 'error').mockReturnValue()
    const entries: LogEntry[] = []
    createLogger('debug', entry => entries.push(entry)).error(
      `token ${jwt}`,
      Object.assign(new Error(jwt), { stack: jwt }),
    )
    expect(JSON.stringify([spy.mock.calls, entries])).not.toContain(jwt)
  })
})
