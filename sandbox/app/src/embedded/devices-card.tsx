import type { ShareSet, WaasWallet } from '@keybay/waas'
import { useAddDevice, useRevokeSet } from '@keybay/waas/react'
import {
  Button,
  Card,
  ConfirmButton,
  formatMoment,
  Glyph,
  Item,
  Offer,
  Problem,
  useChange,
  useLostFocus,
} from '../design/index.js'
import { Link } from '../routing/link.js'
import { hasBackup } from './schemes.js'

const names = { primary: 'First device', device: 'Added device', delegate: 'Delegate' } as const

/** Explains why a revoked share set still has a share in this browser, and its use. */
function KeptShare({ wallet, isPrimary }: { readonly wallet: WaasWallet; readonly isPrimary: boolean }) {
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

function SetRow({ set, wallet }: { readonly set: ShareSet; readonly wallet: WaasWallet }) {
  const { setId, kind, createdAt, revoked, here, kept } = set
  const { accountAddress } = wallet
  const revoke = useChange(useRevokeSet(), 'Revoked: it can never sign again')
  const erase = useChange(useRevokeSet(), 'The key share is erased from this browser')
  const id = setId.slice(0, 8)
  const actions = (
    <>
      {wallet.here && !revoked && kind !== 'primary' && (
        <ConfirmButton
          text="Revoke"
          label={`Revoke ${names[kind].toLowerCase()} ${id}`}
          question="It can never sign for this wallet again."
          busy={revoke.busy}
          confirm={() => revoke.run(accountAddress, setId)}
        />
      )}
      {kept && (
        <Button
          small
          text={erase.busy ? 'Erasing …' : 'Erase'}
          busy={erase.busy}
          aria-label={`Erase the key share of set ${id} from this browser`}
          onClick={() => erase.run(accountAddress, setId)}
        />
      )}
    </>
  )
  return (
    <Item mark={<Glyph name={kind === 'delegate' ? 'user' : 'device'} size={24} />} actions={actions}>
      <p className="keybay-item-title">
        {names[kind]} {here && <span className="keybay-tag keybay-tag-accent">This browser</span>}{' '}
        {revoked && <span className="keybay-tag keybay-tag-bad">Revoked</span>}
      </p>
      <p className="soft small">
        Since {formatMoment(createdAt)} · set <span className="mono">{id}</span>
      </p>
      {kept && <KeptShare wallet={wallet} isPrimary={kind === 'primary'} />}
      <Problem title="It was not revoked." error={revoke.error} />
      <Problem title="The key share was not erased." error={erase.error} />
    </Item>
  )
}

/** Lists the share sets: each device has its own, and shares of different sets do not combine. */
export function DevicesCard({ wallet }: { readonly wallet: WaasWallet }) {
  const { accountAddress, sets, here } = wallet
  const heading = useLostFocus<HTMLHeadingElement>(sets.filter(({ revoked }) => revoked).length)
  const { busy, error, run } = useChange(useAddDevice(), 'The other browser may sign for the wallet now')
  return (
    <Card title="Devices" heading={heading}>
      <p className="soft small">
        Each browser that signs for this wallet has its own parts of the key. Revoke a device that you lost: it can
        never sign again.
      </p>
      <ul className="keybay-items" aria-label="Devices">
        {sets.map(set => (
          <SetRow key={set.setId} set={set} wallet={wallet} />
        ))}
      </ul>
      {here && (
        <Offer says="Does another browser of yours wait for this one?">
          <Button small text={busy ? 'Adding …' : 'Add a device'} busy={busy} onClick={() => run(accountAddress)} />
        </Offer>
      )}
      <Problem title="No device was added." error={error} />
    </Card>
  )
}
