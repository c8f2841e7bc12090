import { formatSol } from '@keybay/solana'
import type { ReactElement } from 'react'
import { Skeleton } from '../design/feedback.js'
import { useFee } from './use-fee.js'

/** What the chain takes, before anything is asked of the wallet. */
export function FeeRow(transfer: {
  readonly from: string
  readonly to: string | undefined
  readonly lamports: bigint | undefined
}): ReactElement {
  const { status, data } = useFee(transfer.from, transfer.to, transfer.lamports)
  const isComplete = transfer.to !== undefined && transfer.lamports !== undefined
  return (
    <p className="fee-row">
      <span className="soft">Network fee</span>
      <span className="number" aria-live="polite">
        {data !== undefined ? (
          `${formatSol(data)} SOL`
        ) : !isComplete ? (
          <span className="soft">known once both are filled in</span>
        ) : status === 'failed' ? (
          <span className="soft">not known now</span>
        ) : (
          <Skeleton width={10} />
        )}
      </span>
    </p>
  )
}
