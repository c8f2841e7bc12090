// @vitest-environment happy-dom
import { connectorConformance } from '@keybay/kernel/testing'
import { mobileWallet } from '@keybay/mobile-wallet'
import { setUpPhone } from './support.js'

const world = setUpPhone()

connectorConformance(
  scene => {
    const { wallet } = world.phone
    wallet.user = scene.user
    scene.comesBack = async () => wallet.comesBack()
    scene.refusesSigning = async () => {
      wallet.user = 'refuses'
    }
    return mobileWallet({ cluster: 'localnet' })
  },
  {
    id: 'mobile-wallet',
    kind: 'wallet',
    stages: ['refuses', 'is-away', 'refuses-signing'],
    notApplicable: { 'switches-account': 'the protocol has no events' },
    patience: 10_000,
  },
)
