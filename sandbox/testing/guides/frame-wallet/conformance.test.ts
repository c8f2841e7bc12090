// @vitest-environment happy-dom
import { connectorConformance } from '@keybay/kernel/testing'
import { acme } from './index.js'
import { openTestWallet } from './test-wallet.js'

connectorConformance(scene => acme({ open: openTestWallet(scene) }), {
  id: 'acme',
  kind: 'wallet',
  stages: ['refuses', 'is-away', 'switches-account', 'refuses-signing'],
})
