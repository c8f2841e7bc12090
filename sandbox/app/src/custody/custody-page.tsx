import { useTurnkeyWallet } from '@keybay/turnkey/react'
import type { ReactElement } from 'react'
import { NeedsSignIn } from '../embedded/needs-sign-in.js'
import { WalletsState } from '../embedded/wallets-state.js'
import { Page } from '../shell/page.js'
import { AccountsCard } from './accounts-card.js'
import { ActivityCard } from './activity-card.js'
import { CreateCard } from './create-card.js'
import { PasskeysCard } from './passkeys-card.js'
import { RecoveryCard } from './recovery-card.js'
import { SessionCard } from './session-card.js'
import { TypedDataCard } from './typed-data-card.js'

function Custody(): ReactElement {
  const { wallets, status, error, refresh } = useTurnkeyWallet()
  return (
    <>
      <WalletsState
        status={status}
        error={error}
        isKnown={wallets !== undefined}
        isShown={wallets !== undefined}
        refresh={() => refresh.run()}
      />
      {wallets?.length === 0 && <CreateCard />}
      {wallets && wallets.length > 0 && (
        <>
          <AccountsCard wallets={wallets} />
          <SessionCard />
          <PasskeysCard />
          <RecoveryCard />
          <TypedDataCard wallets={wallets} />
          <ActivityCard />
        </>
      )}
    </>
  )
}

export function CustodyPage(): ReactElement {
  return (
    <Page
      title="Custody wallet"
      width="narrow"
      lead="A custody service keeps its key. It signs for whoever has your passkey, and for nobody else."
    >
      <NeedsSignIn>
        <Custody />
      </NeedsSignIn>
    </Page>
  )
}
