import { account } from '@keybay/account'
import { DeletionNotice, ProfileCard, SecurityPanel, SignInDialog } from '@keybay/account/ui'
import { createKeybay } from '@keybay/kernel'
import { email, phone } from '@keybay/one-time-code'
import { passkey } from '@keybay/passkey'
import { KeybayProvider } from '@keybay/react'
import { AccountButton, ToastRegion, UiProvider } from '@keybay/react/ui'
import { TokensView, WalletPanel } from '@keybay/solana/ui'
import type { WaasWallet } from '@keybay/waas'
import { BackupNudge, SigningStatus } from '@keybay/waas/ui'
import { walletStandard } from '@keybay/wallet-standard'
import type { AppProps } from '../../harness/page.js'
import { createApp } from '../keybay/list.js'

const keybay = createKeybay({ appName: 'bench', plugins: [account(), email(), phone(), passkey(), walletStandard()] })
const Hooks = createApp(keybay)
const wallets: readonly WaasWallet[] = []

export function App(props: AppProps) {
  return (
    <KeybayProvider keybay={keybay}>
      <UiProvider locale="en">
        <Hooks {...props} />
        <AccountButton />
        <SignInDialog onClose={() => {}} />
        <DeletionNotice />
        <ProfileCard />
        <SecurityPanel onAdd={() => {}} />
        {wallets.map(wallet => (
          <BackupNudge key={wallet.walletId} wallet={wallet} />
        ))}
        <SigningStatus state="idle" />
        <TokensView address="" />
        <WalletPanel />
        <ToastRegion />
      </UiProvider>
    </KeybayProvider>
  )
}
