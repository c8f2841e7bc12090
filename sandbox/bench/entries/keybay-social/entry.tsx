import { account } from '@keybay/account'
import { createKeybay } from '@keybay/kernel'
import { email, phone } from '@keybay/one-time-code'
import { passkey } from '@keybay/passkey'
import { walletStandard } from '@keybay/wallet-standard'
import { createApp } from '../keybay/list.js'
import { providers } from './providers.js'

const keybay = createKeybay({
  appName: 'bench',
  plugins: [account(), email(), phone(), passkey(), walletStandard(), ...providers],
})

export const App = createApp(keybay)
