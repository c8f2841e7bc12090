import { useKeybay } from '@keybay/react'
import { type ReactElement, type ReactNode, useCallback } from 'react'
import { useLoaded } from '../chain/use-loaded.js'
import { Empty } from '../design/feedback.js'

/** Renders its children if the environment creates embedded wallets, or while that is unknown: then the kit decides. */
export function OffersWallets({ children }: { readonly children: ReactNode }): ReactElement {
  const { account } = useKeybay()
  const { data } = useLoaded(useCallback((signal: AbortSignal) => account.settings({ signal }), [account]))
  if (data?.embeddedWallets.enabled !== false) return <>{children}</>
  return (
    <section className="card">
      <Empty icon="alert" title="New wallets are turned off">
        You can’t create or import a wallet here right now. Wallets that you already have work as before.
      </Empty>
    </section>
  )
}
