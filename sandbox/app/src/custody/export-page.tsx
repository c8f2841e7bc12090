import type { WalletCredential } from '@keybay/kernel/spec'
import { useTurnkeyExport } from '@keybay/turnkey/react'
import { type ReactElement, useRef } from 'react'
import { Problem } from '../account/problem.js'
import { useChange } from '../account/use-change.js'
import { NeedsSignIn } from '../embedded/needs-sign-in.js'
import { WalletPlace } from '../embedded/wallet-place.js'
import { Page } from '../shell/page.js'
import { OwnCustodyWallet } from './own-custody-wallet.js'

function KeyCard({ wallet: { address } }: { readonly wallet: WalletCredential }): ReactElement {
  const place = useRef<HTMLDivElement>(null)
  const exportKey = useTurnkeyExport()
  const show = useChange(exportKey, undefined)
  const start = (words: boolean) => {
    const displayContainer = place.current
    if (displayContainer) show.run(address, { displayContainer, words })
  }
  return (
    <section className="card" aria-labelledby="custody-key">
      <h2 id="custody-key">The key and the words</h2>
      <p className="mono small break">{address}</p>
      <p>
        Custody seals it to a window of another origin, which shows it to you for a minute; this page never has it.
        Whoever sees it can take everything, and needs neither your passkey nor custody for it. The key is of this
        account alone; all accounts of the wallet, on every chain, come from its words.
      </p>
      <p className="soft small">Confirm with your passkey each time.</p>
      <div className="row">
        <button type="button" className="button button-danger" aria-disabled={show.busy} onClick={() => start(false)}>
          Show my key
        </button>
        <button type="button" className="button button-danger" aria-disabled={show.busy} onClick={() => start(true)}>
          Show my words
        </button>
      </div>
      <WalletPlace shown={show.busy} place={place} cancel={exportKey.abort} />
      <Problem title="Nothing was shown." error={show.error} />
    </section>
  )
}

export function CustodyExportPage({ address }: { readonly address: string }): ReactElement {
  return (
    <Page title="Export a custody key" width="narrow" lead="To take an account to another wallet.">
      <NeedsSignIn>
        <OwnCustodyWallet address={address}>{wallet => <KeyCard wallet={wallet} />}</OwnCustodyWallet>
      </NeedsSignIn>
    </Page>
  )
}
