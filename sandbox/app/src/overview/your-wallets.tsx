/** Home page of a signed-in user who has embedded wallets and has connected none. */
import { useEmbeddedWallets } from '@keybay/waas/react'
import { SecondDevice } from '@keybay/waas/ui'
import { UseHere } from '../connect/connect-provider.js'
import { Page } from '../design/index.js'
import { WalletsState } from '../embedded/own-wallet.js'
import { walletSlots } from '../embedded/wallet-slots.js'
import { LinkButton } from '../routing/link.js'
import { SignedIn } from './signed-in.js'

export function YourWallets() {
  const { wallets, status, error, refresh } = useEmbeddedWallets()
  if (wallets?.length === 0) return <SignedIn />
  const isHere = wallets?.some(({ here }) => here)
  return (
    <Page title="Welcome back" width="narrow" lead="One more step: use your wallet in this browser.">
      <WalletsState
        failed={status === 'error' ? error : undefined}
        isKnown={wallets !== undefined}
        isShown={wallets !== undefined}
        retry={refresh.run}
      />
      {isHere ? (
        <section className="keybay-card" aria-label="Your wallet">
          <UseHere
            connector="waas"
            says="Your wallet is in this browser."
            action="Use your wallet"
            failed="It is not connected."
          />
        </section>
      ) : (
        wallets?.map(wallet => <SecondDevice key={wallet.walletId} wallet={wallet} slots={walletSlots} />)
      )}
      <LinkButton to="/wallets" kind="quiet" text="All your wallets" />
    </Page>
  )
}
