import { account } from '@keybay/account'
import { createKeybay } from '@keybay/kernel'
import { email, phone } from '@keybay/one-time-code'
import { passkey } from '@keybay/passkey'
import { google } from '@keybay/social'
import { walletStandard } from '@keybay/wallet-standard'
import { createApp } from '../keybay/list.js'

const keybay = createKeybay({
  appName: 'bench',
  plugins: [account(), email(), phone(), passkey(), walletStandard(), google()],
})

export const App = createApp(keybay)
