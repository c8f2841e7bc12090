import { useActiveAccount } from '@keybay/react'
import type { ReactElement } from 'react'
import { EvmCard } from '../evm/evm-card.js'
import { useEvm } from '../evm/use-evm.js'
import { History } from '../explorer/history.js'
import { Link } from '../routing/link.js'
import { Page } from '../shell/page.js'
import { TokensCard } from '../tokens/tokens-card.js'
import { AccountsCard } from './accounts-card.js'
import { BalanceCard } from './balance-card.js'
import { Welcome } from './welcome.js'

const LATEST = 6

export function OverviewPage(): ReactElement {
  const { account } = useActiveAccount()
  const evm = useEvm()
  if (!account && !evm) return <Welcome />
  return (
    <Page title="Overview">
      <div className="overview">
        <div className="stack overview-main">
          {account && (
            <>
              <BalanceCard address={account.address} />
              <TokensCard address={account.address} />
              <section className="card" aria-labelledby="activity">
                <div className="card-head">
                  <h2 id="activity">Activity</h2>
                  <Link to="/activity" className="small">
                    Show all
                  </Link>
                </div>
                <History address={account.address} limit={LATEST} />
              </section>
            </>
          )}
          {evm && <EvmCard evm={evm} />}
        </div>
        <AccountsCard />
      </div>
    </Page>
  )
}
