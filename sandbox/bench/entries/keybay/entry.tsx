import { createKeybay } from '@keybay/kernel'
import { walletStandard } from '@keybay/wallet-standard'
import { createApp } from './list.js'

const keybay = createKeybay({ appName: 'bench', plugins: [walletStandard()] })

export const App = createApp(keybay)
