// @vitest-environment happy-dom
/** Tests the export window's host: custody encrypts the user's key for the host that serves it, so no host is built in. */
import { account } from '@keybay/account'
import { createKeybay } from '@keybay/kernel'
import { afterEach, expect, it, vi } from 'vitest'
import { type TurnkeyOptions, turnkey } from '../src/index.js'

const hosts = {
  preprod: { frameHost: 'https://wallet.preprod.acme.example' },
  production: { frameHost: 'https://wallet.acme.example' },
}
const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
  document.body.replaceChildren()
})
async function exportAt(baseApiUrl: string, options: Partial<TurnkeyOptions>) {
  const fetched = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('offline'))
  const keybay = createKeybay({
    appName: 'Test',
    baseApiUrl,
    logLevel: 'silent',
    plugins: [account(), turnkey({ baseUrl: 'https://custody.acme.example', ...options })],
  })
  ends.push(() => fetched.mockRestore(), keybay.dispose)
  const displayContainer = document.body.appendChild(document.createElement('div'))
  const error: unknown = await keybay.turnkey.exportKey('address', { displayContainer }).catch(thrown => thrown)
  return { error, fetched: fetched.mock.calls.length, frames: document.querySelectorAll('iframe').length }
}

it.each([
  ['https://api.preprod.acme.example/v0', 'preprod', {}],
  ['https://api.preprod.acme.example/v0', 'preprod', { hosts: { production: hosts.production } }],
  ['https://api.acme.example/v0', 'production', {}],
  ['https://api.acme.example/v0', 'production', { hosts: { preprod: hosts.preprod } }],
  ['https://api.acme.example/v0', 'production', { hosts: { production: {} } }],
])(
  '[S2.3] at %s without a host for %s an export rejects and names the option, before any request or frame',
  async (url, stage, options) => {
    const { error, fetched, frames } = await exportAt(url, options)
    expect(error).toMatchObject({
      code: 'config_invalid',
      message: `Invalid configuration: turnkey: frameHost is missing. Set turnkey({ hosts: { ${stage}: { frameHost } } }) or turnkey({ frameHost })`,
    })
    expect([fetched, frames]).toEqual([0, 0])
  },
)
it.each([
  ['http://localhost:4100/api/v0', {}],
  ['https://api.preprod.acme.example/v0', { hosts }],
  ['https://api.acme.example/v0', { hosts }],
  ['https://api.acme.example/v0', { frameHost: 'https://wallet.acme.example' }],
])('[S2.3] at %s with %j an export accepts the host and requires a session', async (url, options) => {
  expect((await exportAt(url, options)).error).toMatchObject({ code: expect.not.stringMatching(/config|record/) })
})
it.each(['https://wallet.acme.example/path', 'javascript:alert(1)', 'wallet.acme.example', ''])(
  'refuses an export host that is not an origin (%s) before any request or frame',
  async frameHost => {
    const { error, fetched, frames } = await exportAt('https://api.acme.example/v0', {
      hosts: { production: { frameHost } },
    })
    expect(error).toMatchObject({ code: 'record_invalid', message: expect.stringContaining('frameHost') })
    expect([fetched, frames]).toEqual([0, 0])
  },
)
