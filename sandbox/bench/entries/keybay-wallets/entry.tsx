import { account } from '@keybay/account'
import { browserExtension } from '@keybay/browser-extension'
import { deepLink } from '@keybay/deep-link'
import { createKeybay } from '@keybay/kernel'
import { mobileWallet } from '@keybay/mobile-wallet'
import { email, phone } from '@keybay/one-time-code'
import { passkey } from '@keybay/passkey'
import { waas } from '@keybay/waas'
import { walletStandard } from '@keybay/wallet-standard'
import { createApp } from '../keybay/list.js'

const keybay = createKeybay({
  appName: 'bench',
  plugins: [
    account(),
    email(),
    phone(),
    passkey(),
    waas(),
    walletStandard(),
    deepLink(),
    mobileWallet(),
    browserExtension(),
  ],
})

export const App = createApp(keybay)
