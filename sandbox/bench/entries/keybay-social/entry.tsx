import { account } from '@keybay/account'
import { createKeybay } from '@keybay/kernel'
import { email, phone } from '@keybay/one-time-code'
import { passkey } from '@keybay/passkey'
import { KeybayProvider } from '@keybay/react'
import {
  apple,
  bitbucket,
  coinbasesocial,
  discord,
  epicgames,
  facebook,
  farcaster,
  github,
  gitlab,
  google,
  instagram,
  kraken,
  line,
  linkedin,
  microsoft,
  shopify,
  social,
  spotify,
  steam,
  telegram,
  tiktok,
  twitch,
  twitter,
} from '@keybay/social'
import { walletStandard } from '@keybay/wallet-standard'
import type { AppProps } from '../../harness/page.js'
import { List, Sign } from '../keybay/list.js'

const keybay = createKeybay({
  appName: 'bench',
  plugins: [
    account(),
    email(),
    phone(),
    passkey(),
    walletStandard(),
    social([
      apple(),
      bitbucket(),
      coinbasesocial(),
      discord(),
      epicgames(),
      facebook(),
      farcaster(),
      github(),
      gitlab(),
      google(),
      instagram(),
      kraken(),
      line(),
      linkedin(),
      microsoft(),
      shopify(),
      spotify(),
      steam(),
      telegram(),
      tiktok(),
      twitch(),
      twitter(),
    ]),
  ],
})

export const App = (props: AppProps) => (
  <KeybayProvider keybay={keybay}>
    <List {...props} />
    <Sign {...props} />
  </KeybayProvider>
)
