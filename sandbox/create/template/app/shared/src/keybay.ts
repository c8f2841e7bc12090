/** The app's one Keybay instance: what users can sign in and sign with, and where the services are. */
import { account } from '@keybay/account' // if account
import { createKeybay } from '@keybay/kernel'
import { email } from '@keybay/one-time-code' // if one-time-code
import { passkey } from '@keybay/passkey' // if passkey
import { github, google } from '@keybay/social' // if social
import { solana } from '@keybay/solana' // if solana
import { waas } from '@keybay/waas' // if waas
import { walletStandard } from '@keybay/wallet-standard' // if wallet-standard

export const keybay = createKeybay({
  appName: 'acme-app',
  baseApiUrl: 'http://api.app.localhost:4100/api/v0', // if account
  plugins: [
    solana({ cluster: 'localnet' }), // if solana
    walletStandard(), // if wallet-standard
    account(), // if account
    email(), // if one-time-code
    passkey(), // if passkey
    google(), // if social
    github(), // if social
    waas(), // if waas
  ],
})

declare module '@keybay/kernel' {
  interface Register {
    keybay: typeof keybay
  }
}
