import type { WaasWallet } from '@keybay/waas'
import { useEmbeddedWallets, useRevokeSet } from '@keybay/waas/react'
import { useEffect, useState } from 'react'
import { Button, Card, ConfirmButton, CopyButton, Notice, Problem, useChange, useLostFocus } from '../design/index.js'
import { Link } from '../routing/link.js'
import { WalletPage } from './own-wallet.js'
import { hasBackup } from './schemes.js'

function activeSets({ sets }: WaasWallet): readonly string[] {
  return sets.filter(({ revoked }) => !revoked).map(({ setId }) => setId)
}

interface ResultProps {
  readonly busy: boolean
  /** Undefined when the test device is gone. */
  readonly added: string | undefined
  revoke(setId: string): void
}
function Result({ busy, added, revoke }: ResultProps) {
  return (
    <Notice kind="good" title="Your recovery works.">
      {added === undefined ? (
        <span>The test device is gone again. Your wallet is as it was.</span>
      ) : (
        <>
          <span>The other window has the wallet. Take its part away again, so that nothing stays behind.</span>
          <ConfirmButton
            text="Revoke"
            label="Revoke the test device"
            question="The other window can never sign for this wallet again."
            busy={busy}
            confirm={() => revoke(added)}
          />
        </>
      )}
    </Notice>
  )
}

/** The user restores the wallet in another browser profile; this page detects the new device and then removes it. */
function Drill({ wallet }: { readonly wallet: WaasWallet }) {
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
    <Card title="The drill" heading={heading}>
      <p>You play that this browser is gone, in another one. Nothing here is touched, and nothing can be lost.</p>
      <ol className="stack steps" aria-label="What to do">
        <li>Keep this window open. Take your backup file and its password, from where you would look for them.</li>
        <li>
          Open a private window, or another profile of your browser, at this address, and sign in there as you do here:
          <p className="row">
            <span className="mono small break">{link}</span>
            <CopyButton text={link} label="Copy the address" />
          </p>
        </li>
        <li>Choose “This is one more device”, and restore the wallet with your backup.</li>
        <li>
          Come back here.
          <p className="row">
            <Button text="Look for the new device" busy={refresh.status === 'pending'} onClick={() => run()} />
          </p>
        </li>
      </ol>
      {seen === undefined ? (
        <p className="soft small" role="status">
          No new device yet.
        </p>
      ) : (
        <Result busy={revoke.busy} added={added} revoke={setId => revoke.run(accountAddress, setId)} />
      )}
      <Problem title="It was not revoked." error={revoke.error} />
    </Card>
  )
}

export function DrillPage({ address }: { readonly address: string }) {
  const lead = 'Five minutes now, so that a lost device is only a nuisance.'
  return (
    <WalletPage title="Test my recovery" address={address} lead={lead}>
      {wallet =>
        hasBackup(wallet.thresholdSignatureScheme) ? (
          <Drill wallet={wallet} />
        ) : (
          <section className="keybay-card">
            <Notice kind="warn" title="This wallet has no backup.">
              <Link to={`/wallets/${address}`}>Create new key shares with a backup</Link>
            </Notice>
          </section>
        )
      }
    </WalletPage>
  )
}
