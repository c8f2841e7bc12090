// @vitest-environment happy-dom
import { connectorConformance, type MockWallet, mockWallet } from '@keybay/kernel/testing'
import { walletStandard } from '../src/index.js'
import { register } from './page.js'

const wallets = new Map<object, MockWallet>()

connectorConformance(
  scene => {
    const mock = wallets.get(scene) ?? mockWallet()
    if (!wallets.has(scene)) register(mock.wallet)
    wallets.set(scene, mock)
    if (scene.user === 'refuses') mock.fault = 'refuses-like-phantom'
    if (scene.user === 'is-away') mock.fault = 'never-answers'
    scene.comesBack = mock.release
    scene.switchesAccount = mock.switchAccount
    scene.refusesSigning = async () => {
      mock.fault = 'refuses-like-phantom'
    }
    return walletStandard()
  },
  { id: 'wallet-standard:mock', kind: 'wallet', stages: ['refuses', 'is-away', 'switches-account', 'refuses-signing'] },
)
