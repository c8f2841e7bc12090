import { account } from '@keybay/account'
import { createKeybay } from '@keybay/kernel'
import { email, phone } from '@keybay/one-time-code'
import { passkey } from '@keybay/passkey'
import { KeybayProvider } from '@keybay/react'
import { walletStandard } from '@keybay/wallet-standard'
import type { AppProps } from '../../harness/page.js'
import { List, Sign } from '../keybay/list.js'

const keybay = createKeybay({ appName: 'bench', plugins: [account(), email(), phone(), passkey(), walletStandard()] })

export function App(props: AppProps) {
  return (
    <KeybayProvider keybay={keybay}>
      <List {...props} />
      <Sign {...props} />
    </KeybayProvider>
  )
}
