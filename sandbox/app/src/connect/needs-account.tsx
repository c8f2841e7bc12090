import type { ReactElement } from 'react'
import { Empty } from '../design/feedback.js'
import { ConnectButton } from './connect-button.js'

/** In the place of a page that is nothing without an account. @param to what the user wants, e.g. `send` */
export function NeedsAccount({ to }: { readonly to: string }): ReactElement {
  return (
    <section className="card">
      <Empty icon="wallet" title={`Connect a wallet to ${to}`} action={<ConnectButton />}>
        Your keys stay in your wallet. This app only sees your address, and asks before anything is signed.
      </Empty>
    </section>
  )
}
