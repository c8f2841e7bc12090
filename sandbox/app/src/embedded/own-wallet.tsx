import type { WaasWallet } from '@keybay/waas'
import { useEmbeddedWallets } from '@keybay/waas/react'
import type { ReactElement, ReactNode } from 'react'
import { Empty } from '../design/feedback.js'
import { Link } from '../routing/link.js'
import { WalletsState } from './wallets-state.js'

/** Renders one of the user's wallets; shows the load state until then. */
export function OwnWallet({
  address,
  children,
}: {
  readonly address: string
  readonly children: (wallet: WaasWallet) => ReactNode
}): ReactElement {
  const { wallets, status, error, refresh } = useEmbeddedWallets()
  const wallet = wallets?.find(({ accountAddress }) => accountAddress === address)
  return (
    <>
      <WalletsState
        status={status}
        error={error}
        isKnown={wallets !== undefined}
        isShown={wallet !== undefined}
        refresh={() => refresh.run()}
      />
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
            Check the address, or sign in as the user whose wallet it is.
          </Empty>
        </section>
      )}
      {wallet && children(wallet)}
    </>
  )
}
