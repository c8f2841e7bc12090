import { useEmbeddedWallets } from '@keybay/waas/react'
import type { ReactElement } from 'react'
import { Empty, Loading, Notice, Skeleton } from '../design/feedback.js'
import { Link } from '../routing/link.js'
import { Page } from '../shell/page.js'
import { explain } from '../wording.js'
import { DevicesCard } from './devices-card.js'
import { JoinCard } from './join-card.js'
import { NeedsSignIn } from './needs-sign-in.js'
import { PolicyCard } from './policy-card.js'
import { SharesCard } from './shares-card.js'
import { SummaryCard } from './summary-card.js'

function Security({ address }: { readonly address: string }): ReactElement {
  const { wallets, status, error, refresh } = useEmbeddedWallets()
  const wallet = wallets?.find(({ accountAddress }) => accountAddress === address)
  return (
    <>
      {status === 'error' && error && (
        <Notice kind="bad" title={wallet ? 'This may be out of date.' : 'Your wallet could not be loaded.'}>
          <span>{explain(error)}</span>
          <button type="button" className="button button-small" onClick={() => refresh.run()}>
            Try again
          </button>
        </Notice>
      )}
      {!wallets && status !== 'error' && (
        <section className="card" aria-label="Wallet">
          <Loading what="your wallet" />
          {[18, 26, 22].map(width => (
            <p key={width}>
              <Skeleton width={width} />
            </p>
          ))}
        </section>
      )}
      {wallets && !wallet && status === 'ready' && (
        <section className="card">
          <Empty
            icon="wallet"
            title="This is not one of your wallets"
            action={
              <Link to="/wallets" className="button button-primary">
                To your wallets
              </Link>
            }
          >
            Check the address, or sign in as the person whose wallet it is.
          </Empty>
        </section>
      )}
      {wallet && (
        <>
          <SummaryCard wallet={wallet} />
          {!wallet.here && <JoinCard wallet={wallet} />}
          <DevicesCard wallet={wallet} />
          {wallet.here && (
            <>
              <SharesCard wallet={wallet} />
              <PolicyCard key={String(wallet.policy?.dailyLimit)} wallet={wallet} />
            </>
          )}
        </>
      )}
    </>
  )
}

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
        <Security address={address} />
      </NeedsSignIn>
    </Page>
  )
}
