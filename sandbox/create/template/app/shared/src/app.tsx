import { KeybayProvider } from '@keybay/react'
import { AccountButton } from '@keybay/react/ui'
import { keybay } from './keybay'
import { Message } from './message'
import { Payment } from './payment' // if solana
import { Profile } from './profile' // if account
import { Wallet } from './wallet' // if waas
import '@keybay/react/ui.css'
import './style.css'

export function App() {
  return (
    <KeybayProvider keybay={keybay}>
      <header>
        <h1>acme-app</h1>
        <AccountButton />
      </header>
      <main>
        <Profile /* if account */ />
        <Wallet /* if waas */ />
        <Payment /* if solana */ />
        <Message />
      </main>
    </KeybayProvider>
  )
}
