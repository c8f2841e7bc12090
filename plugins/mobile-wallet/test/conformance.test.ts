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
    return mobileWallet({ cluster: 'localnet' })
  },
  {
    id: 'mobile-wallet',
    kind: 'wallet',
    stages: ['refuses', 'is-away'],
    notApplicable: { 'switches-account': 'the protocol has no events' },
    patience: 10_000,
  },
)
