import { createKeybay } from '@keybay/kernel'
import { KeybayProvider } from '@keybay/react'
import { walletStandard } from '@keybay/wallet-standard'
import type { AppProps } from '../../harness/page.js'
import { List, Sign } from './list.js'

const keybay = createKeybay({ appName: 'bench', plugins: [walletStandard()] })

export function App(props: AppProps) {
  return (
    <KeybayProvider keybay={keybay}>
      <List {...props} />
      <Sign {...props} />
    </KeybayProvider>
  )
}
