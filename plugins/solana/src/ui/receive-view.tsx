import { CopyButton, Notice, useMessages, useRoot, walletMessages } from '@keybay/react/ui'
import type { ReactElement } from 'react'
import { useCurrentNetwork } from './current-network.js'
import { useSlots } from './slots.js'

export interface ReceiveViewProps {
  readonly address: string
}

/** The address to receive at, as text and as a QR code. */
export function ReceiveView({ address }: ReceiveViewProps): ReactElement {
  const { text } = useMessages(walletMessages)
  const root = useRoot('keybay-card keybay-receive')
  const { name } = useCurrentNetwork()
  const { qr, receive, gate } = useSlots()
  const content = (
    <>
      {qr?.({ text: `solana:${address}`, label: text('qr') })}
      <p className="keybay-mono keybay-receive-address">
        <bdi>{address}</bdi>
      </p>
      <div className="keybay-line">
        <CopyButton text={address} label={text('copyAddress')}>
          {text('copyAddress')}
        </CopyButton>
        {receive?.(address)}
      </div>
      <Notice title={text('onlyFor', { network: name })}>
        <span>{text('onlyForText')}</span>
      </Notice>
    </>
  )
  return (
    <section {...root} aria-label={text('yourAddress')}>
      {gate ? gate({ address, children: content }) : content}
    </section>
  )
}
