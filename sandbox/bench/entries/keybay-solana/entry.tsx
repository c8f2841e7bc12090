import { createKeybay } from '@keybay/kernel'
import { solana } from '@keybay/solana'
import { walletStandard } from '@keybay/wallet-standard'
import { createApp } from '../keybay/list.js'

const keybay = createKeybay({ appName: 'bench', plugins: [solana({ cluster: 'localnet' }), walletStandard()] })

export const App = createApp(keybay)
