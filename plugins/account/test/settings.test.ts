import { describe, expect, it } from 'vitest'
import { isSettings, settingsProblem } from '../src/parse/settings.js'

const network = {
  chainId: 104,
  networkId: 104,
  cluster: 'localnet',
  genesisHash: '',
  name: 'Acme',
  key: 'acme',
  rpcUrls: ['http://localhost:8899'],
  blockExplorerUrls: [],
  iconUrls: [],
  isTestnet: true,
  nativeCurrency: { decimals: 9, name: 'Solana', symbol: 'SOL' },
}
const settings = {
  environmentId: 'local',
  name: 'Acme',
  environment: 'sandbox',
  signIn: { wallet: true, email: true, phone: true, passkey: true, external: false, social: [] },
  required: { email: false, phone: false },
  mfa: { methods: ['totp'], actions: [], atSignIn: true },
  passkey: { rpId: 'localhost', rpName: 'Acme' },
  embeddedWallets: { enabled: true, thresholdSignatureScheme: 'TWO_OF_THREE', mostPerUser: 5 },
}

describe('[S3.2] networks in the response of a product API', () => {
  it.each([[undefined], [[]], [[network]]])('accepts settings with the networks %j', networks => {
    expect(isSettings({ ...settings, networks })).toBe(true)
    expect(settingsProblem({ ...settings, networks })).toBeUndefined()
  })
  it.each([
    ['rpcUrls', ['javascript:alert(1)']],
    ['rpcUrls', ['https://user:password@node.example/']],
    ['blockExplorerUrls', ['data:text/html,<script>alert(1)</script>']],
    ['iconUrls', ['javascript:alert(1)']],
    ['chainId', '104'],
    ['surprise', 1],
  ])('refuses settings with a network whose %s is wrong: %s', (field, value) => {
    const networks = [{ ...network, [field]: value }]
    expect(isSettings({ ...settings, networks })).toBe(false)
    expect(settingsProblem({ ...settings, networks })).toContain(`SolanaNetwork.${field} of networks[0] ("Acme")`)
  })
})
