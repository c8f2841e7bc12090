import type { ShareSet, WaasWallet } from '@keybay/waas'
import { useAddDevice, useRevokeSet } from '@keybay/waas/react'
import type { ReactElement } from 'react'
import { Problem } from '../account/problem.js'
import { useChange } from '../account/use-change.js'
import { ConfirmButton } from '../design/confirm-button.js'
import { formatMoment } from '../design/format.js'
import { Glyph } from '../design/icons.js'
import { useLostFocus } from '../design/use-lost-focus.js'
import { Link } from '../routing/link.js'
import { hasBackup } from './schemes.js'

const names = { primary: 'First device', device: 'Added device', delegate: 'Delegate' } as const

/** Explains why a revoked share set still has a share in this browser, and its use. */
function KeptShare({ wallet, isPrimary }: { readonly wallet: WaasWallet; readonly isPrimary: boolean }): ReactElement {
  return (
    <p className="soft small">
      This browser keeps its key share, encrypted.{' '}
      {isPrimary && hasBackup(wallet.thresholdSignatureScheme) ? (
        <>
          Together with your backup, it recovers the wallet without the service.{' '}
          <Link to={`/wallets/${wallet.accountAddress}/export`}>Copy the key share</Link>
        </>
      ) : (
        `It no longer signs${isPrimary ? '.' : ', and is erased after 30 days.'}`
      )}
    </p>
  )
}

function SetRow({ set, wallet }: { readonly set: ShareSet; readonly wallet: WaasWallet }): ReactElement {
  const { setId, kind, createdAt, revoked, here, kept } = set
  const revoke = useChange(useRevokeSet(), 'Revoked: it can never sign again')
  const erase = useChange(useRevokeSet(), 'The key share is erased from this browser')
  return (
    <li className="item">
      <Glyph name={kind === 'delegate' ? 'user' : 'device'} size={24} />
      <div className="item-text">
        <p className="item-title">
          {names[kind]} {here && <span className="tag tag-accent">This browser</span>}{' '}
          {revoked && <span className="tag tag-bad">Revoked</span>}
        </p>
        <p className="soft small">
          Since {formatMoment(createdAt)} · set <span className="mono">{setId.slice(0, 8)}</span>
        </p>
        {kept && <KeptShare wallet={wallet} isPrimary={kind === 'primary'} />}
        <Problem title="It was not revoked." error={revoke.error} />
        <Problem title="The key share was not erased." error={erase.error} />
      </div>
      <div className="item-actions">
        {wallet.here && !revoked && kind !== 'primary' && (
          <ConfirmButton
            label={`Revoke ${names[kind].toLowerCase()} ${setId.slice(0, 8)}`}
            question="It can never sign for this wallet again."
            busy={revoke.busy}
            confirm={() => revoke.run(wallet.accountAddress, setId)}
          >
            Revoke
          </ConfirmButton>
        )}
        {kept && (
          <button
            type="button"
            className="button button-small"
            aria-disabled={erase.busy}
            aria-label={`Erase the key share of set ${setId.slice(0, 8)} from this browser`}
            onClick={() => erase.run(wallet.accountAddress, setId)}
          >
            {erase.busy ? 'Erasing …' : 'Erase'}
          </button>
        )}
      </div>
    </li>
  )
}

/** Lists the share sets: each device has its own, and shares of different sets do not combine. */
export function DevicesCard({ wallet }: { readonly wallet: WaasWallet }): ReactElement {
  const { accountAddress, sets, here } = wallet
  const heading = useLostFocus<HTMLHeadingElement>(sets.filter(({ revoked }) => revoked).length)
  const approve = useChange(useAddDevice(), 'The other browser may sign for the wallet now')
  return (
    <section className="card" aria-labelledby="devices">
      <h2 id="devices" ref={heading} tabIndex={-1}>
        Devices
      </h2>
      <p className="soft small">
        Each browser has a set of parts of its own. Parts of different sets do not fit together, and a revoked set is
        erased at the service.
      </p>
      <ul className="items" aria-label="Devices">
        {sets.map(set => (
          <SetRow key={set.setId} set={set} wallet={wallet} />
        ))}
      </ul>
      {wallet.chainName === 'SOL' && (
        <div className="row row-apart">
          <p className="soft small">Servers that you let sign within rules of yours, and transfers on a schedule.</p>
          <Link to={`/wallets/${accountAddress}/delegates`} className="button button-small">
            Delegates
          </Link>
        </div>
      )}
      {here && (
        <>
          <div className="row row-apart">
            <p className="soft small">Another browser of yours waits for this one?</p>
            <button
              type="button"
              className="button button-small"
              aria-disabled={approve.busy}
              onClick={() => approve.run(accountAddress)}
            >
              {approve.busy ? 'Adding …' : 'Add a device'}
            </button>
          </div>
          <Problem title="No device was added." error={approve.error} />
        </>
      )}
    </section>
  )
}
