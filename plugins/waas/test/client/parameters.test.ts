// @vitest-environment happy-dom
import { errorSpec, KeybayError } from '@keybay/kernel'
import { expect, it, vi } from 'vitest'
import type { WaasOptions } from '../../src/index.js'
import { ends, iframes, open } from './kit.js'
import { standInWallet } from './stand-in-wallet.js'

const address = standInWallet.accountAddress

const hosts = {
  preprod: {
    frameHost: 'https://wallet.preprod.acme.example',
    baseMPCRelayApiUrl: 'https://relay.preprod.acme.example',
  },
  production: { frameHost: 'https://wallet.acme.example', baseMPCRelayApiUrl: 'https://relay.acme.example' },
}
const development = { frameHost: 'http://wallet.localhost:4200', baseMPCRelayApiUrl: 'http://localhost:4300' }
const cases = [
  ['http://localhost:4100/api/v0', development, undefined],
  ['http://api.app.localhost:4100/api/v0', development, undefined],
  ['https://api.preprod.example.com/v0', hosts.preprod, 'preprod'],
  ['https://api.example.com/v0', hosts.production, 'production'],
  // A word in the path chooses no stage.
  ['https://api.example.com/localhost/preprod', hosts.production, 'production'],
] as const
for (const [baseApiUrl, { frameHost, baseMPCRelayApiUrl }, stage] of cases) {
  it(`[S2.3] [S9.11] ${baseApiUrl} leads to the frame host ${frameHost} and the relay ${baseMPCRelayApiUrl}`, async () => {
    const config = { baseApiUrl }
    const { keybay, frames } = open({ getWallets: () => [standInWallet] }, { config, options: { hosts } })
    await keybay.connect('waas')
    const [url] = frames.loaded
    expect([url?.origin, url?.searchParams.get('baseMPCRelayApiUrl')]).toEqual([frameHost, baseMPCRelayApiUrl])
  })
  if (!stage) continue
  it.each(['frameHost', 'baseMPCRelayApiUrl'] as const)(
    `[S2.3] [S9.11] ${baseApiUrl} without %s names the option, and loads, signs and fetches nothing`,
    async option => {
      const fetched = vi.spyOn(globalThis, 'fetch')
      ends.push(() => fetched.mockRestore())
      const incomplete = { ...hosts, [stage]: { ...hosts[stage], [option]: undefined } }
      for (const options of [{}, { hosts: incomplete }]) {
        const { keybay, frames, signed, called } = open({}, { config: { baseApiUrl }, options })
        const rejected = { code: 'config_invalid', message: expect.stringContaining(`Set waas({ hosts: { ${stage}: {`) }
        await expect(keybay.connect('waas')).rejects.toMatchObject(rejected)
        await expect(keybay.waas.createWallet({ scheme: 'TWO_OF_TWO' })).rejects.toMatchObject(rejected)
        await expect(keybay.waas.importPrivateKey()).rejects.toMatchObject(rejected)
        expect([frames.loaded, iframes(), signed, called, fetched.mock.calls]).toEqual([[], [], [], [], []])
      }
    },
  )
}

it('uses no host of another stage, and reads no host from the page’s URL', async () => {
  const config = { baseApiUrl: 'https://api.example.com/v0' }
  history.replaceState(null, '', '?frameHost=https://evil.example&hosts=preprod')
  const { keybay, frames } = open({}, { config, options: { hosts: { preprod: hosts.preprod } } })
  await expect(keybay.waas.wallets()).rejects.toThrow(
    'waas: frameHost is missing. Set waas({ hosts: { production: { frameHost } } }) or waas({ frameHost })',
  )
  expect(frames.loaded).toEqual([])
})

it('uses the hosts that the app names', async () => {
  const options = {
    frameHost: 'https://wallet.acme.example',
    baseMPCRelayApiUrl: 'https://relay.acme.example/mpc',
    environmentId: 'other env',
  }
  const { keybay, frames } = open({ getWallets: () => [standInWallet] }, { options })
  await keybay.connect('waas')
  const [url] = frames.loaded
  expect([url?.origin, url?.pathname]).toEqual(['https://wallet.acme.example', '/waas-v1/other%20env'])
  expect(url?.searchParams.get('baseMPCRelayApiUrl')).toBe(options.baseMPCRelayApiUrl)
})

it('[S3.6] passes every parameter of a wallet client to the frame, and keeps the token out of the URL', async () => {
  const { keybay, kernel, frames, received } = open({ getWallets: () => [standInWallet], sendAuthToken: () => null })
  await keybay.waas.wallets()
  const [url] = frames.loaded
  const [, , greeting] = received.find(([, type]) => type === 'sendAuthToken') ?? []
  const { authToken, chainName } = Object(greeting)
  const said = Object.fromEntries(url?.searchParams ?? [])
  const { environmentId, baseApiUrl, baseMPCRelayApiUrl, sdkVersion } = said
  const parameters = { environmentId, baseApiUrl, baseMPCRelayApiUrl, sdkVersion, authToken, chainName }
  expect(parameters).toEqual({
    environmentId: kernel.config.environmentId,
    baseApiUrl: kernel.config.baseApiUrl,
    baseMPCRelayApiUrl: 'http://localhost:4300',
    sdkVersion: expect.stringMatching(/^\d+\.\d+\.\d+/),
    authToken: 'token-of-mara',
    chainName: 'SOL',
  })
  expect(url?.href).not.toContain('token-of-mara')
})

for (const debug of [true, false])
  it(`[S3.6] debug ${debug}: ${debug ? 'logs' : 'does not log'} the outcome of an operation, and never its payload`, async () => {
    const frozen = new KeybayError(errorSpec('frozen', 'The wallet is frozen'))
    const { keybay, events } = open(
      { getWallets: () => [standInWallet], addDevice: () => Promise.reject(frozen) },
      { options: { debug }, config: { logLevel: 'debug' } },
    )
    await keybay.connect('waas')
    await expect(keybay.waas.addDevice(address, { password: 'hunter2' })).rejects.toThrow('The wallet is frozen')
    const entries = events.filter(([name]) => name === 'log').map(([, entry]) => Object(entry))
    const ours = entries.filter(({ message }) => message === 'waas operation').map(({ meta }) => meta)
    const expected = [
      { type: 'getWallets', outcome: 'done', ms: 0 },
      { type: 'addDevice', outcome: 'frozen', ms: 0 },
    ]
    expect(ours).toEqual(debug ? expected : [])
    expect(JSON.stringify(entries)).not.toMatch(/hunter2|token-of-mara/)
  })

it('[S5.8] requires an environment id', async () => {
  const { keybay } = open({}, { options: { environmentId: '' } })
  await expect(keybay.connect('waas')).rejects.toMatchObject({
    code: 'environment_id_missing',
    message: 'An environment id is needed',
  })
})

it('names an invalid waas option in the error', async () => {
  const wrong: Readonly<Record<string, WaasOptions>> = {
    baseApiUrl: { baseApiUrl: 'nowhere' },
    frameHost: { frameHost: 'https://wallet.acme.example/path' },
    baseMPCRelayApiUrl: { baseMPCRelayApiUrl: 'javascript:alert(1)' },
  }
  for (const [name, options] of Object.entries(wrong)) {
    const { keybay } = open({}, { options })
    await expect(keybay.connect('waas')).rejects.toMatchObject({
      code: 'record_invalid',
      message: `Invalid record: WalletClientParameters.${name}`,
    })
  }
})
