import type { ReactElement } from 'react'
import { Link } from '../routing/link.js'
import { Page } from '../shell/page.js'
import { BackupNudge } from './backup-nudge.js'
import { DevicesCard } from './devices-card.js'
import { EvmSignCard } from './evm-sign-card.js'
import { JoinCard } from './join-card.js'
import { NeedsSignIn } from './needs-sign-in.js'
import { OwnWallet } from './own-wallet.js'
import { PasswordCard } from './password-card.js'
import { PolicyCard } from './policy-card.js'
import { PsbtCard } from './psbt-card.js'
import { RecoveryCard } from './recovery-card.js'
import { SharesCard } from './shares-card.js'
import { SummaryCard } from './summary-card.js'

export function SecurityPage({ address }: { readonly address: string }): ReactElement {
  return (
    <Page
      title="Wallet security"
      width="narrow"
      lead={
        <>
          Who holds its key, what it may do, and how to change both. <Link to="/wallets">All your wallets</Link>
        </>
      }
    >
      <NeedsSignIn>
        <OwnWallet address={address}>
          {wallet => (
            <>
              <BackupNudge wallet={wallet} />
              <SummaryCard wallet={wallet} />
              {wallet.here && wallet.chainName === 'EVM' && <EvmSignCard wallet={wallet} />}
              {wallet.here && wallet.chainName === 'BTC' && <PsbtCard wallet={wallet} />}
              {!wallet.here && <JoinCard wallet={wallet} />}
              <RecoveryCard wallet={wallet} />
              <DevicesCard wallet={wallet} />
              {wallet.here && (
                <>
                  <PasswordCard wallet={wallet} />
                  <SharesCard wallet={wallet} />
                  {wallet.chainName === 'SOL' && <PolicyCard key={String(wallet.policy?.dailyLimit)} wallet={wallet} />}
                </>
              )}
            </>
          )}
        </OwnWallet>
      </NeedsSignIn>
    </Page>
  )
}
