import type { WaasWallet } from '@keybay/waas'
import { useEmbeddedWallets, useRevokeSet } from '@keybay/waas/react'
import { type ReactElement, useEffect, useState } from 'react'
import { Problem } from '../account/problem.js'
import { useChange } from '../account/use-change.js'
import { ConfirmButton } from '../design/confirm-button.js'
import { CopyButton } from '../design/copy-button.js'
import { Notice } from '../design/feedback.js'
import { useLostFocus } from '../design/use-lost-focus.js'
import { Link } from '../routing/link.js'
import { Page } from '../shell/page.js'
import { NeedsSignIn } from './needs-sign-in.js'
import { OwnWallet } from './own-wallet.js'
import { hasBackup } from './schemes.js'

function activeSets({ sets }: WaasWallet): readonly string[] {
  return sets.filter(({ revoked }) => !revoked).map(({ setId }) => setId)
}

/** The user restores the wallet in another browser profile; this page detects the new device and then removes it. */
function Drill({ wallet }: { readonly wallet: WaasWallet }): ReactElement {
  const { accountAddress } = wallet
  const [before] = useState(() => activeSets(wallet))
  const { refresh } = useEmbeddedWallets()
  const added = activeSets(wallet).find(setId => !before.includes(setId))
  const [seen, see] = useState<string>()
  useEffect(() => {
    if (added !== undefined) see(added)
  }, [added])
  // Refresh when the user returns from the other window.
  const { run } = refresh
  useEffect(() => {
    const look = () => run()
    addEventListener('focus', look)
    return () => removeEventListener('focus', look)
  }, [run])
  const heading = useLostFocus<HTMLHeadingElement>(added)
  const revoke = useChange(useRevokeSet(), 'The test device is revoked')
  const link = `${location.origin}/wallets/${accountAddress}/restore`
  return (
    <section className="card" aria-labelledby="drill">
      <h2 id="drill" ref={heading} tabIndex={-1}>
        The drill
      </h2>
      <p>You play that this browser is gone, in another one. Nothing here is touched, and nothing can be lost.</p>
      <ol className="stack steps" aria-label="What to do">
        <li>
          <p>Keep this window open. Take your backup file and its password, from where you would look for them.</p>
        </li>
        <li>
          <p>
            Open a private window, or another profile of your browser, at this address, and sign in there as you do
            here:
          </p>
          <p className="row">
            <span className="mono small break">{link}</span>
            <CopyButton text={link} label="Copy the address" />
          </p>
        </li>
        <li>
          <p>Choose “This is one more device”, and restore the wallet with your backup.</p>
        </li>
        <li>
          <p>Come back here.</p>
          <p className="row">
            <button type="button" className="button" aria-disabled={refresh.status === 'pending'} onClick={() => run()}>
              Look for the new device
            </button>
          </p>
        </li>
      </ol>
      {seen === undefined ? (
        <p className="soft small" role="status">
          No new device yet.
        </p>
      ) : (
        <Notice kind="good" title="Your recovery works.">
          {added === undefined ? (
            <span>The test device is gone again. Your wallet is as it was.</span>
          ) : (
            <>
              <span>The other window has the wallet. Take its part away again, so that nothing stays behind.</span>
              <ConfirmButton
                label="Revoke the test device"
                question="The other window can never sign for this wallet again."
                busy={revoke.busy}
                confirm={() => revoke.run(accountAddress, added)}
              >
                Revoke
              </ConfirmButton>
            </>
          )}
        </Notice>
      )}
      <Problem title="It was not revoked." error={revoke.error} />
    </section>
  )
}

export function DrillPage({ address }: { readonly address: string }): ReactElement {
  return (
    <Page
      title="Test my recovery"
      width="narrow"
      lead={
        <>
          Five minutes now, so that a lost device is only a nuisance.{' '}
          <Link to={`/wallets/${address}`}>Back to the wallet</Link>
        </>
      }
    >
      <NeedsSignIn>
        <OwnWallet address={address}>
          {wallet =>
            hasBackup(wallet.thresholdSignatureScheme) ? (
              <Drill wallet={wallet} />
            ) : (
              <section className="card">
                <Notice kind="warn" title="This wallet has no backup.">
                  <Link to={`/wallets/${address}`}>Divide its key anew, with one</Link>
                </Notice>
              </section>
            )
          }
        </OwnWallet>
      </NeedsSignIn>
    </Page>
  )
}
