/** The app's one Keybay instance, with all of its host configuration. */
import { account } from '@keybay/account'
import { browserExtension } from '@keybay/browser-extension'
import { deepLink, phantom, solflare } from '@keybay/deep-link'
import { devtools } from '@keybay/devtools/production'
import { createKeybay } from '@keybay/kernel'
import { mobileWallet } from '@keybay/mobile-wallet'
import { email, phone } from '@keybay/one-time-code'
import { passkey } from '@keybay/passkey'
import { social } from '@keybay/social'
import { solana } from '@keybay/solana'
import { turnkey } from '@keybay/turnkey'
import { waas } from '@keybay/waas'
import { walletStandard } from '@keybay/wallet-standard'
import { authMode } from './auth-mode.js'
import { catalogue } from './catalogue-plugin.js'
import {
  apiUrl,
  chainUrl,
  chainWsUrl,
  createOnLogin,
  custodyUrl,
  environmentId,
  frameUrl,
  phoneUrl,
  relayUrl,
} from './config.js'
import { chains } from './embedded/schemes.js'
import './phone/phone-window.js'
import { readPreference, writePreference } from './preferences.js'
import { optimizedNetworks } from './send/sponsorship.js'
import { providers } from './social/providers.js'
import { socialMode } from './social/social-mode.js'

export const keybay = createKeybay({
  appName: 'Keybay sandbox',
  environmentId,
  baseApiUrl: apiUrl,
  authMode,
  plugins: [
    catalogue,
    // In production too: this app is for developers.
    devtools({ title: 'Events', open: readPreference('events') === 'open' }),
    solana({
      cluster: 'localnet',
      endpoints: { localnet: { rpcUrl: chainUrl, webSocketUrl: chainWsUrl } },
      optimize: optimizedNetworks,
    }),
    walletStandard(),
    deepLink({
      cluster: 'localnet',
      wallets: [
        phantom({ baseUrl: `${phoneUrl}/phantom/ul/v1/` }),
        solflare({ baseUrl: `${phoneUrl}/solflare/ul/v1/` }),
      ],
    }),
    mobileWallet({ cluster: 'localnet' }),
    browserExtension(),
    account(),
    email(),
    phone(),
    passkey(),
    ...providers,
    social({ mode: socialMode }),
    waas({
      name: 'Keybay wallet',
      frameHost: frameUrl,
      baseMPCRelayApiUrl: relayUrl,
      chains: chains.map(({ value }) => value),
      createOnLogin,
    }),
    turnkey({ name: 'Custody wallet', baseUrl: custodyUrl, frameHost: frameUrl }),
  ],
})

keybay.devtools.subscribe(() => writePreference('events', keybay.devtools.isOpen ? 'open' : 'closed'))

declare module '@keybay/kernel' {
  interface Register {
    keybay: typeof keybay
  }
}
