// @vitest-environment happy-dom
import { connectorConformance } from '@keybay/kernel/testing'
import { mobileWallet } from '@keybay/mobile-wallet'
import type { MobilePhone } from '@keybay/sandbox-wallets/mobile'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { enterPhone, leavePhone, startMobilePhone } from './support.js'

let phone: MobilePhone
beforeAll(async () => {
  phone = await startMobilePhone()
})
afterAll(() => phone.stop())
beforeEach(() => {
  phone.wallet.forgetApps()
  enterPhone(phone)
})
afterEach(leavePhone)

connectorConformance(
  scene => {
    phone.wallet.user = scene.user
    scene.comesBack = async () => phone.wallet.comesBack()
    return mobileWallet({ cluster: 'localnet' })
  },
  { id: 'mobile-wallet', kind: 'wallet', stages: ['refuses', 'is-away'], patience: 10_000 },
)
