/** A signed-in user whose embedded wallets a stand-in plugin describes, without frame, relay and product API. */
import { createKeybay, definePlugin } from '@keybay/kernel'
import { mockWallet } from '@keybay/kernel/testing'
import { solana } from '@keybay/solana'
import type { WaasWallet } from '@keybay/waas'
import { afterEach } from 'vitest'
import { getAddress } from './screen.js'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** @param address of the wallet @param changes what differs from a wallet in this browser without a backup */
function describeWallet(accountAddress: string, changes: Partial<WaasWallet>): WaasWallet {
  const { here = true } = changes
  return {
    walletId: 'w1',
    accountAddress,
    chainName: 'SOL',
    publicKey: new Uint8Array(32),
    thresholdSignatureScheme: 'TWO_OF_THREE',
    setId: 's1',
    epoch: 0,
    signing: 'threshold',
    origin: 'seed',
    exportable: true,
    exported: false,
    here,
    passwordEncrypted: false,
    backup: { state: 'none', providers: [] },
    sets: [{ setId: 's1', kind: 'primary', createdAt: 1, revoked: false, here }],
    createdAt: 1,
    ...changes,
  }
}

/** Opens an app whose user has one embedded wallet. `backup` makes it current. @param rpcUrl of the chain */
export async function openEmbedded(rpcUrl: string, changes: Partial<WaasWallet> = {}) {
  const mock = mockWallet({ name: 'waas' })
  const address = await getAddress(mock)
  let wallet = describeWallet(address, changes)
  const account = definePlugin({
    id: 'account',
    version: '0.1.0',
    setup({ session, clock, onStart }) {
      onStart(() => {
        const token = { value: 'token', expiresAt: clock.now() + 3_600_000 }
        void session.set({ status: 'authenticated', userId: 'mara' }, token)
      })
      return {}
    },
  })
  const waas = definePlugin({
    id: 'waas',
    version: '0.1.0',
    setup: ({ events }) => ({
      connectors: [mock.connector],
      api: {
        wallets: async () => [wallet],
        async backup() {
          wallet = { ...wallet, backup: { state: 'current', providers: ['dynamic'] } }
          events.emit('waas:wallets-changed', {})
        },
      },
    }),
  })
  const keybay = createKeybay({
    appName: 'Test',
    logLevel: 'silent',
    plugins: [solana({ cluster: 'localnet', endpoints: { localnet: { rpcUrl } } }), account, waas],
  })
  closing.push(keybay.dispose)
  return { keybay, address }
}
