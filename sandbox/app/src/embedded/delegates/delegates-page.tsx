import type { WaasWallet } from '@keybay/waas'
import type { ReactElement } from 'react'
import { Empty } from '../../design/feedback.js'
import { Link } from '../../routing/link.js'
import { Page } from '../../shell/page.js'
import { NeedsSignIn } from '../needs-sign-in.js'
import { OwnWallet } from '../own-wallet.js'
import { DelegateItem } from './delegate-item.js'
import { ScheduleCard } from './schedule-card.js'

function Delegates({ wallet }: { readonly wallet: WaasWallet }): ReactElement {
  const delegates = wallet.sets.filter(({ kind }) => kind === 'delegate')
  // Active delegates first, newest first within each group.
  const sorted = delegates.toSorted((a, b) => Number(a.revoked) - Number(b.revoked) || b.createdAt - a.createdAt)
  if (sorted.length === 0)
    return (
      <section className="card">
        <Empty icon="user" title="Nobody signs for you">
          Only you sign with this wallet. A server that you let sign is listed here, with its rules.
        </Empty>
      </section>
    )
  return (
    <>
      {sorted.map(set => (
        <DelegateItem key={set.setId} wallet={wallet} set={set} />
      ))}
    </>
  )
}

/** Servers that sign without the user, and the transfers made by this app's own server. */
export function DelegatesPage({ address }: { readonly address: string }): ReactElement {
  return (
    <Page
      title="Delegates"
      width="narrow"
      lead={
        <>
          Who may sign without asking you, and by which rules. <Link to={`/wallets/${address}`}>Wallet security</Link>
        </>
      }
    >
      <NeedsSignIn>
        <OwnWallet address={address}>
          {wallet => (
            <>
              <Delegates wallet={wallet} />
              {wallet.here && <ScheduleCard wallet={wallet} />}
            </>
          )}
        </OwnWallet>
      </NeedsSignIn>
    </Page>
  )
}
