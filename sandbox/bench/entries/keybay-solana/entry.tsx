import { createKeybay } from '@keybay/kernel'
import { KeybayProvider } from '@keybay/react'
import { solana } from '@keybay/solana'
import { walletStandard } from '@keybay/wallet-standard'
import type { AppProps } from '../../harness/page.js'
import { List, Sign } from '../keybay/list.js'

const keybay = createKeybay({ appName: 'bench', plugins: [solana({ cluster: 'localnet' }), walletStandard()] })

export function App(props: AppProps) {
  return (
    <KeybayProvider keybay={keybay}>
      <List {...props} />
      <Sign {...props} />
    </KeybayProvider>
  )
}
