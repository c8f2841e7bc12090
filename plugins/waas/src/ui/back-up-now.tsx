import { Button, backupMessages, Problem, useChange, useMessages } from '@keybay/react/ui'
import type { ReactElement, ReactNode } from 'react'
import { useWalletBackup } from '../react/index.js'

export interface BackUpNowProps {
  readonly address: string
  /** Shown beside the button. */
  readonly children?: ReactNode
}

/**
 * Backs up a wallet in one step: the wallet's window asks for a passkey, or shows a recovery code.
 *
 * @example <BackUpNow address={wallet.accountAddress} />
 */
export function BackUpNow({ address, children }: BackUpNowProps): ReactElement {
  const { text } = useMessages(backupMessages)
  const { backup } = useWalletBackup(address)
  const { busy, error, run } = useChange(backup, text('done'))
  return (
    <>
      <span className="keybay-line">
        <Button kind="primary" small text={text(busy ? 'backingUp' : 'backUp')} busy={busy} onClick={() => run()} />
        {children}
      </span>
      <Problem title={text('failed')} error={error} />
    </>
  )
}
