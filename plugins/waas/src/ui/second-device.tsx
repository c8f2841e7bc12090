import { useConnect } from '@keybay/react'
import type { WaasWallet } from '@keybay/waas'
import { useAddDevice } from '@keybay/waas/react'
import { Button, Card, Glyph, Item, Problem, shorten, useChange } from '../design/index.js'
import { LinkButton } from '../routing/link.js'
import { hasBackup } from './schemes.js'

/** In a browser without a share of the wallet: offers the ways to use the wallet here too. */
export function SecondDevice({ wallet }: { readonly wallet: WaasWallet }) {
  const { accountAddress, thresholdSignatureScheme } = wallet
  const { run: connect } = useConnect('waas')
  const join = useChange(useAddDevice(), 'This browser signs for the wallet now', () => connect('waas'))
  const canRestore = hasBackup(thresholdSignatureScheme)
  const address = <span className="mono small soft">{shorten(accountAddress, 6)}</span>
  const getCode = (
    <Button
      kind="primary"
      small
      text={join.busy ? 'Waiting for your other device …' : 'Get a code'}
      busy={join.busy}
      onClick={() => join.run(accountAddress)}
    />
  )
  return (
    <Card title="Your wallet is on another device" side={address}>
      <p>Add this browser to use the wallet here too. Its address and your money stay as they are.</p>
      <ul className="keybay-items" aria-label="Ways to use your wallet here">
        <Item mark={<Glyph name="device" size={24} />} actions={getCode}>
          <p className="keybay-item-title">Approve it on your other device</p>
          <p className="soft small">
            This browser shows a code. On the other device, open this app, then Wallets and Security. Choose “Add a
            device” and enter the code.
          </p>
        </Item>
        {canRestore && (
          <Item
            mark={<Glyph name="key" size={24} />}
            actions={<LinkButton to={`/wallets/${accountAddress}/restore`} small text="Restore" />}
          >
            <p className="keybay-item-title">Restore it from your backup</p>
            <p className="soft small">
              Without the other device: with your passkey, your recovery code or your backup file.
            </p>
          </Item>
        )}
      </ul>
      {!canRestore && (
        <p className="soft small">
          This wallet has no backup yet, so only the other device can add this browser. Back up the wallet there.
        </p>
      )}
      <Problem title="This browser was not added." error={join.error} />
    </Card>
  )
}
