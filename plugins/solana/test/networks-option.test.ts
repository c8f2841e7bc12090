// @vitest-environment happy-dom
import { createKeybay } from '@keybay/kernel'
import type { SolanaNetwork } from '@keybay/kernel/spec'
import { describe, expect, it } from 'vitest'
import { solana } from '../src/index.js'
import { RECORDS } from '../src/records.js'

const [mainnet, , devnet] = RECORDS
if (!mainnet || !devnet) throw new Error('The known networks are missing.')

function create(...networks: readonly SolanaNetwork[]) {
  return createKeybay({ appName: 'Test', logLevel: 'silent', plugins: [solana({ networks })] })
}

describe('[S3.2] solana({ networks })', () => {
  it('accepts the known network records as the app’s own networks', async () => {
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
  ])(
    'networks with a wrong %s fail every call with an error that names the network and lists no address',
    async (field, wrong) => {
      const keybay = create(mainnet, { ...devnet, name: 'Acme', ...wrong })
      const problem = `SolanaNetwork.${field} of networks[1] ("Acme"): expected`
      for (const id of [101, 103]) await expect(keybay.solana.network(id)).rejects.toThrow(problem)
      await expect(keybay.solana.getBalance('11111111111111111111111111111111')).rejects.toMatchObject({
        code: 'record_invalid',
      })
      for (const network of keybay.solana.networks.list())
        expect(Object.keys(network).sort()).toEqual(['cluster', 'isTestnet', 'name', 'networkId'])
      keybay.dispose()
    },
  )
})
