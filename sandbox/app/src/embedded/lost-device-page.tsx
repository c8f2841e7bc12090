import { useEmbeddedWallets } from '@keybay/waas/react'
import type { ReactElement } from 'react'
import { Empty, Loading, Notice } from '../design/feedback.js'
import { shorten } from '../design/format.js'
import { Glyph } from '../design/icons.js'
import { Link } from '../routing/link.js'
import { Page } from '../shell/page.js'
import { explain } from '../wording.js'
import { NeedsSignIn } from './needs-sign-in.js'
import { hasBackup, schemes } from './schemes.js'

function Elsewhere(): ReactElement {
  const { wallets, status, error, refresh } = useEmbeddedWallets()
  const elsewhere = wallets?.filter(({ here }) => !here)
  return (
    <section className="card" aria-labelledby="elsewhere">
      <h2 id="elsewhere">Wallets that are not in this browser</h2>
      {status === 'error' && error && (
        <Notice kind="bad" title="Your wallets could not be loaded.">
          <span>{explain(error)}</span>
          <button type="button" className="button button-small" onClick={() => refresh.run()}>
            Try again
          </button>
        </Notice>
      )}
      {!wallets && status !== 'error' && <Loading what="your wallets" />}
      {elsewhere?.length === 0 && (
        <Empty
          icon="check"
          title="Nothing is missing here"
          action={
            <Link to="/wallets" className="button button-primary">
              To your wallets
            </Link>
          }
        >
          This browser signs for every wallet of yours.
        </Empty>
      )}
      {elsewhere && elsewhere.length > 0 && (
        <ul className="items" aria-label="Wallets to restore">
          {elsewhere.map(({ walletId, accountAddress, thresholdSignatureScheme }) => (
            <li key={walletId} className="item">
              <Glyph name="wallet" size={24} />
              <div className="item-text">
                <p className="item-title mono" title={accountAddress}>
                  {shorten(accountAddress, 6)}
                </p>
                <p className="soft small">
                  {hasBackup(thresholdSignatureScheme)
                    ? schemes[thresholdSignatureScheme].name
                    : 'Two of two, without a backup: only the device that has it can let this one in'}
                </p>
              </div>
              <div className="item-actions">
                <Link
                  to={`/wallets/${accountAddress}${hasBackup(thresholdSignatureScheme) ? '/restore' : ''}`}
                  className="button button-small"
                  aria-label={`${hasBackup(thresholdSignatureScheme) ? 'Restore' : 'Look at'} ${shorten(accountAddress, 6)}`}
                >
                  {hasBackup(thresholdSignatureScheme) ? 'Restore' : 'Look at it'}
                </Link>
              </div>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

export function LostDevicePage(): ReactElement {
  return (
    <Page
      title="I lost my device"
      width="narrow"
      lead="Sign in as always. Then your backup brings each wallet into this browser, and the lost one can be shut out."
    >
      <NeedsSignIn>
        <Elsewhere />
      </NeedsSignIn>
    </Page>
  )
}
