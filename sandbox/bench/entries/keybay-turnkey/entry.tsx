import { account } from '@keybay/account'
import { createKeybay } from '@keybay/kernel'
import { email, phone } from '@keybay/one-time-code'
import { passkey } from '@keybay/passkey'
import { turnkey } from '@keybay/turnkey'
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
    turnkey({ baseUrl: 'http://localhost:4400' }),
    waas(),
    walletStandard(),
  ],
})

export const App = createApp(keybay)
