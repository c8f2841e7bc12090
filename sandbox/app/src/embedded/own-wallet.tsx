import type { WaasWallet } from '@keybay/waas'
import { useEmbeddedWallets } from '@keybay/waas/react'
import type { ReactElement, ReactNode } from 'react'
import { Empty, Loading, Notice, Skeleton } from '../design/feedback.js'
import { Link } from '../routing/link.js'
import { explain } from '../wording.js'

/** One wallet of the person's; until it is there, what stands in its place. */
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
      {wallet && children(wallet)}
    </>
  )
}
