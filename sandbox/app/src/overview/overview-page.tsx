import { useActiveAccount } from '@keybay/react'
import type { ReactElement } from 'react'
import { History } from '../explorer/history.js'
import { Link } from '../routing/link.js'
import { Page } from '../shell/page.js'
import { AccountsCard } from './accounts-card.js'
import { BalanceCard } from './balance-card.js'
import { Welcome } from './welcome.js'

const LATEST = 6

export function OverviewPage(): ReactElement {
  const { account } = useActiveAccount()
  if (!account) return <Welcome />
  return (
    <Page title="Overview">
      <div className="overview">
        <div className="stack overview-main">
          <BalanceCard address={account.address} />
          <section className="card" aria-labelledby="activity">
            <div className="card-head">
              <h2 id="activity">Activity</h2>
              <Link to={`/address/${account.address}`} className="small">
                Show in the explorer
              </Link>
            </div>
            <History address={account.address} limit={LATEST} />
          </section>
        </div>
        <AccountsCard />
      </div>
    </Page>
  )
}
