/** Tests the rules for the operator's environment file, which `startApi` checks before it opens anything. */
import { describe, expect, it } from 'vitest'
import { readEnvironments } from '../src/environments.js'
import { type EnvironmentSettings, localNetwork, startApi } from '../src/index.js'

const settings: EnvironmentSettings = { allowedOrigins: ['https://app.acme.example'] }

function read(overrides: object) {
  const environment = readEnvironments({ acme: { ...settings, ...overrides } }, new Set()).get('acme')
  if (!environment) throw new Error('The environment is missing.')
  return environment
}
const network = { ...localNetwork('https://node.acme.example'), name: 'Acme' }

describe('the defaults of an environment', () => {
  it('embedded wallets are off by default, with a threshold of 2 of 3', () => {
    const off = { enabled: false, thresholdSignatureScheme: 'TWO_OF_THREE', mostPerUser: 5 }
    expect(read({}).embeddedWallets).toEqual(off)
    expect(read({ embeddedWallets: {} }).embeddedWallets).toEqual(off)
    expect(read({ embeddedWallets: { enabled: true } }).embeddedWallets).toEqual({ ...off, enabled: true })
  })
  it('no user is merged into another one unless the operator allows it', () => {
    expect(read({}).merge).toBe(false)
    expect(read({ merge: true }).merge).toBe(true)
  })
  it('embedded wallets use 2 of 2 only where the operator configures it', () => {
    const embeddedWallets = { thresholdSignatureScheme: 'TWO_OF_TWO' }
    expect(read({ embeddedWallets }).embeddedWallets.thresholdSignatureScheme).toBe('TWO_OF_TWO')
  })
})

describe('[S3.2] networks of an environment', () => {
  it('accepts a complete network record', () => {
    expect(read({ networks: [network] }).networks).toEqual([network])
  })
  it.each([
    ['rpcUrls', { rpcUrls: ['javascript:alert(1)'] }],
    ['rpcUrls', { rpcUrls: ['https://node.acme.example/\n'] }],
    ['privateCustomerRpcUrls', { privateCustomerRpcUrls: ['https://user:password@node.acme.example/'] }],
    ['blockExplorerUrls', { blockExplorerUrls: ['/explorer'] }],
    ['iconUrls', { iconUrls: ['http://acme.example/icon.png'] }],
    ['nativeCurrency', { nativeCurrency: { decimals: 9.5, name: 'Solana', symbol: 'SOL' } }],
    ['surprise', { surprise: 1 }],
  ])(
    'a network with a wrong %s stops the start with an error that names environment, network and field',
    async (field, wrong) => {
      const environments = { acme: { ...settings, networks: [network, { ...network, ...wrong }] } }
      await expect(
        startApi({ mode: 'sandbox', environments, smtpUrl: 'smtp://127.0.0.1:1', smsUrl: 'http://127.0.0.1:1' }),
      ).rejects.toThrow(`environment "acme": networks: SolanaNetwork.${field} of networks[1] ("Acme"): expected`)
    },
  )
  it.each([{}, 'text', null, 1])('refuses %j instead of a list of networks', networks => {
    expect(() => read({ networks })).toThrow('environment "acme": networks: A list is expected')
  })
})
