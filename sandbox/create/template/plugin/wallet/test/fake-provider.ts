/** Simulates an Acme Name wallet with real keys, and a user who follows the scene. */
import { type MockWallet, mockWallet, type Scene, type WalletFault } from '@keybay/kernel/testing'
import type { AcmeNameProvider } from '../src/index.js'

const FAULTS: Readonly<Record<Scene['user'], WalletFault | undefined>> = {
  approves: undefined,
  refuses: 'refuses-like-phantom',
  'is-away': 'never-answers',
}
/** Wallet memory that survives a page reload. */
const wallets = new WeakMap<Scene, MockWallet>()

export function fakeProvider(scene: Scene): AcmeNameProvider {
  const mock = wallets.get(scene) ?? mockWallet()
  wallets.set(scene, mock)
  mock.fault = FAULTS[scene.user]
  scene.comesBack = mock.release
  scene.switchesAccount = mock.switchAccount
  scene.refusesSigning = async () => {
    mock.fault = FAULTS.refuses
  }
  const { features } = mock.wallet
  return {
    async connect({ silent }) {
      const [account] = (await features['standard:connect']?.connect({ silent }))?.accounts ?? []
      if (!account) throw new Error('This page was not allowed before')
      return account
    },
    async disconnect() {
      await features['standard:disconnect']?.disconnect()
    },
    async signMessage(message) {
      const [account] = mock.wallet.accounts
      const [signed] = account ? ((await features['solana:signMessage']?.signMessage({ account, message })) ?? []) : []
      if (!signed) throw new Error('Not connected')
      return signed.signature
    },
    onChange: listener =>
      features['standard:events']?.on('change', change => change.accounts && listener(change.accounts[0])) ??
      (() => undefined),
  }
}
