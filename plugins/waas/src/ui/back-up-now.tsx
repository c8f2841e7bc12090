import { useWalletBackup } from '@keybay/waas/react'
import type { ReactNode } from 'react'
import { Button, Problem, useChange } from '../design/index.js'

interface BackUpNowProps {
  readonly address: string
  /** Shown beside the button. */
  readonly children?: ReactNode
}

/** Backs up a wallet in one step: the wallet's window asks for a passkey, or shows a recovery code. */
export function BackUpNow({ address, children }: BackUpNowProps) {
  const { backup } = useWalletBackup(address)
  const { busy, error, run } = useChange(backup, 'The backup is there, and it opens')
  return (
    <>
      <span className="row">
        <Button kind="primary" small text={busy ? 'Backing up …' : 'Back up now'} busy={busy} onClick={() => run()} />
        {children}
      </span>
      <Problem title="It was not backed up. Nothing was changed." error={error} />
    </>
  )
}
