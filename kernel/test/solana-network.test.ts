import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { solanaNetworksProblem } from '../src/spec/index.js'

const nativeCurrency = { decimals: 9, name: 'Solana', symbol: 'SOL' }
const network = {
  chainId: 103,
  networkId: 103,
  cluster: 'devnet',
  genesisHash: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG',
  name: 'Acme Devnet',
  key: 'acme-devnet',
  rpcUrls: ['https://node.example/?api-key=hunter2'],
  blockExplorerUrls: ['https://explorer.example/'],
  iconUrls: ['https://acme.example/icon.png', 'data:image/png;base64,AAAA'],
  isTestnet: true,
  nativeCurrency,
}

/** Addresses that a page must never open, ask or show. */
const HOSTILE_ADDRESSES: readonly unknown[] = [
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'data:application/json,{}',
  'file:///etc/passwd',
  'blob:https://node.example/1',
  'ftp://node.example/',
  'ws://node.example/',
  'wss://node.example/',
  '//node.example/',
  '/rpc',
  'node.example',
  'http:node.example',
  'https:\\\\node.example',
  'https://',
  'https://user:password@node.example/',
  'https://user@node.example/',
  'https://:password@node.example/',
  'https://node.example/\nevil',
  'https://node\t.example/',
  'https://node.example/ x',
  ' https://node.example/',
  `https://node.example/${'a'.repeat(5000)}`,
  '',
  null,
  1,
  true,
  {},
  ['https://node.example/'],
  new URL('https://node.example/'),
]

describe.each(['rpcUrls', 'privateCustomerRpcUrls', 'blockExplorerUrls', 'iconUrls'])(
  '[S3.2] %s of a network',
  field => {
    it.each(HOSTILE_ADDRESSES.map(address => [inspect(address).slice(0, 80), address] as const))(
      'refuses a network whose list of addresses holds %s beside a valid address',
      (_, address) => {
        const hostile = { ...network, [field]: ['https://good.example/', address] }
        expect(solanaNetworksProblem([hostile])).toContain(`SolanaNetwork.${field} of networks[0]`)
      },
    )
    it.each([['https://good.example/'], [{ 0: 'https://good.example/', length: 1 }], [new Array(1)], [null]])(
      'refuses %j, which is not a list of addresses',
      value => {
        expect(solanaNetworksProblem([{ ...network, [field]: value }])).toContain(
          `SolanaNetwork.${field} of networks[0]`,
        )
      },
    )
  },
)

describe('[S3.2] a network record', () => {
  it.each([
    ['a full one', network],
    ['one with a vanity name', { ...network, vanityName: 'Devnet' }],
    [
      'one of a chain on this machine, which starts from nothing',
      { ...network, genesisHash: '', rpcUrls: ['http://127.0.0.1:8899'] },
    ],
    ['one with nodes of the customer', { ...network, privateCustomerRpcUrls: ['https://node.example/key/abc'] }],
    ['one without icons and explorers', { ...network, iconUrls: [], blockExplorerUrls: [] }],
  ])('accepts a network record: %s', (_, value) => {
    expect(solanaNetworksProblem([value])).toBeUndefined()
  })

  it.each([
    ['chainId', '103'],
    ['chainId', 0],
    ['chainId', 1.5],
    ['chainId', 2 ** 53],
    ['chainId', 103n],
    ['networkId', -1],
    ['networkId', Number.POSITIVE_INFINITY],
    ['networkId', Number.NaN],
    ['cluster', ''],
    ['cluster', 'devnet:evil'],
    ['cluster', 'DevNet'],
    ['cluster', 'a'.repeat(33)],
    ['genesisHash', '0OIl'],
    ['genesisHash', 'E'.repeat(45)],
    ['genesisHash', undefined],
    ['name', ' '],
    ['name', 'Main\u202enet'],
    ['name', 'Main\u200bnet'],
    ['name', 'two\nlines'],
    ['name', 'a'.repeat(65)],
    ['vanityName', ''],
    ['key', '../solana'],
    ['key', '__proto__/x'],
    ['rpcUrls', []],
    ['rpcUrls', new Array(1)],
    ['iconUrls', ['http://acme.example/icon.png']],
    ['iconUrls', ['data:text/html,<svg/>']],
    ['iconUrls', [`data:image/png,${'a'.repeat(100_001)}`]],
    ['isTestnet', 0],
    ['nativeCurrency', { ...nativeCurrency, decimals: -1 }],
    ['nativeCurrency', { ...nativeCurrency, decimals: 19 }],
    ['nativeCurrency', { ...nativeCurrency, decimals: '9' }],
    ['nativeCurrency', { ...nativeCurrency, iconUrl: 'javascript:alert(1)' }],
    ['nativeCurrency', { ...nativeCurrency, iconUrl: 'http://acme.example/icon.png' }],
    ['nativeCurrency', { ...nativeCurrency, symbol: '' }],
    ['nativeCurrency', [nativeCurrency]],
    ['nativeCurrency', null],
    ['nativeCurrency', { ...nativeCurrency, colour: 'red' }],
    ['surprise', 1],
    ['constructor', 1],
    ['toString', 'text'],
  ])('refuses a network record with %s %s, and names the network, the field and the expected value', (field, value) => {
    const message = solanaNetworksProblem([network, { ...network, [field]: value }])
    expect(message).toContain(`SolanaNetwork.${field} of networks[1]`)
    expect(message).toContain('expected ')
  })

  it.each(Object.keys(network))('refuses a network record without %s', field => {
    const { [field]: _, ...rest }: Record<string, unknown> = network
    expect(solanaNetworksProblem([rest])).toContain(`SolanaNetwork.${field} of networks[0]`)
  })
  it('refuses a network record with inherited fields or a field named __proto__', () => {
    const inherited: unknown = Object.create(network)
    const polluted: unknown = JSON.parse(JSON.stringify(network).replace('{', '{"__proto__":{"rpcUrls":[]},'))
    expect(solanaNetworksProblem([inherited])).toContain('SolanaNetwork.chainId of networks[0]')
    expect(solanaNetworksProblem([polluted])).toContain('SolanaNetwork.__proto__ of networks[0]')
  })

  it.each([undefined, null, 'text', network, { 0: network, length: 1 }])(
    'refuses %j in place of a list of networks',
    value => {
      expect(solanaNetworksProblem(value)).toContain('a list is expected')
    },
  )
  it('refuses a list of networks with a hole', () => {
    expect(solanaNetworksProblem(new Array(1))).toContain('networks[0]: expected a network record')
  })
  it('names the invalid network, and never repeats an address, which may hold a key', () => {
    const problem = solanaNetworksProblem([{ ...network, rpcUrls: ['ftp://node.example/hunter2'] }])
    expect(problem).toBe(
      'SolanaNetwork.rpcUrls of networks[0] ("Acme Devnet"): expected a list of http or https addresses, without user name and password, at least one',
    )
  })
})
