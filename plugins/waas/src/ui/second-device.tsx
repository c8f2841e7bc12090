import { shorten } from '@keybay/kernel/spec'
import { useConnect } from '@keybay/react'
import { Button, backupMessages, Card, Glyph, Item, Problem, useChange, useMessages, useRoot } from '@keybay/react/ui'
import type { ReactElement } from 'react'
import type { WaasWallet } from '../protocol/wallet.js'
import { useAddDevice } from '../react/index.js'
import { hasBackupShare } from './backup-state.js'
import type { WalletSlots } from './slots.js'

export interface SecondDeviceProps {
  readonly wallet: WaasWallet
  readonly slots?: WalletSlots | undefined
}

export function SecondDeviceView({ wallet, slots }: SecondDeviceProps): ReactElement {
  const { text } = useMessages(backupMessages)
  const root = useRoot()
  const { accountAddress: address } = wallet
  const { run: connect } = useConnect('waas')
  const join = useChange(useAddDevice(), text('joined'), () => connect('waas'))
  const canRestore = hasBackupShare(wallet)
  const restore = slots?.link?.({ to: 'restore', text: text('restore'), address })
  const getCode = (
    <Button
      kind="primary"
      small
      text={text(join.busy ? 'waitsForDevice' : 'getCode')}
      busy={join.busy}
      onClick={() => join.run(address)}
    />
  )
  const short = shorten(address)
  const side = (
    <bdi className="keybay-mono keybay-small keybay-soft" aria-hidden="true">
      {short}
    </bdi>
  )
  // A user may have several of these cards, which a screen reader lists by name.
  const title = (
    <>
      {text('elsewhere')}
      <span className="keybay-hidden">: {short}</span>
    </>
  )
  return (
    <div {...root}>
      <Card title={title} side={side}>
        <p>{text('addBrowser')}</p>
        <ul className="keybay-items" aria-label={text('waysHere')}>
          <Item mark={<Glyph name="device" size={24} />} actions={getCode}>
            <p className="keybay-item-title">{text('approve')}</p>
            <p className="keybay-soft keybay-small">{text('approveText')}</p>
          </Item>
          {canRestore && restore !== undefined && (
            <Item mark={<Glyph name="key" size={24} />} actions={restore}>
              <p className="keybay-item-title">{text('restoreTitle')}</p>
              <p className="keybay-soft keybay-small">{text('restoreText')}</p>
            </Item>
          )}
        </ul>
        {!canRestore && <p className="keybay-soft keybay-small">{text('noRestore')}</p>}
        <Problem title={text('notAdded')} error={join.error} />
      </Card>
    </div>
  )
}
