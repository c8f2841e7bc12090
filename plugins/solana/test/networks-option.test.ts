// @vitest-environment happy-dom
import { createKeybay } from '@keybay/kernel'
import type { SolanaNetwork } from '@keybay/kernel/spec'
import { describe, expect, it } from 'vitest'
import { solana } from '../src/index.js'
import { RECORDS } from '../src/records.js'

const [mainnet, , devnet] = RECORDS
if (!mainnet || !devnet) throw new Error('The known networks are missing.')
const create = (...networks: readonly SolanaNetwork[]) =>
  createKeybay({ appName: 'Test', logLevel: 'silent', plugins: [solana({ networks })] })

describe('[S3.2] solana({ networks })', () => {
  it('takes the known records as the app’s own', async () => {
    const keybay = create(...RECORDS)
    expect(await keybay.solana.network(103)).toEqual(devnet)
    keybay.dispose()
  })
  it.each<readonly [string, object]>([
    ['rpcUrls', { rpcUrls: ['javascript:alert(1)'] }],
    ['rpcUrls', { rpcUrls: [] }],
    ['privateCustomerRpcUrls', { privateCustomerRpcUrls: ['https://user:password@node.example/'] }],
    ['blockExplorerUrls', { blockExplorerUrls: ['data:text/html,<script>alert(1)</script>'] }],
    ['iconUrls', { iconUrls: ['file:///icon.png'] }],
    ['networkId', { networkId: 1.5 }],
    ['surprise', { surprise: 1 }],
  ])('refuses the instance for a wrong %s, and names the network', (field, wrong) => {
    expect(() => create(mainnet, { ...devnet, name: 'Acme', ...wrong })).toThrow(
      `SolanaNetwork.${field} of networks[1] ("Acme"): expected`,
    )
  })
})
