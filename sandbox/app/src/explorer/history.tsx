import { type ReactElement, useCallback } from 'react'
import { useChain } from '../chain/use-chain.js'
import { Empty, Loading, Skeleton } from '../design/feedback.js'
import { loadHistory } from './account.js'
import { Ago, LoadFailed, Name, Sol } from './parts.js'

/** Polling interval, in ms. */
const REFRESH_MS = 4000

/** Latest transactions of an address, newest first. */
export function History({ address, limit }: { readonly address: string; readonly limit: number }): ReactElement {
  const load = useCallback(
    (url: string, signal: AbortSignal) => loadHistory(url, address, limit, signal),
    [address, limit],
  )
  const history = useChain(load, REFRESH_MS)
  if (history.status === 'failed' && !history.data)
    return <LoadFailed what="the transactions" error={history.error} reload={history.reload} />
  if (!history.data)
    return (
      <div className="history">
        <Loading what="transactions" />
        {[22, 18, 20].map(width => (
          <div key={width} className="history-row">
            <Skeleton width={width} />
          </div>
        ))}
      </div>
    )
  if (!history.data.length)
    return (
      <Empty icon="block" title="No transactions yet">
        Everything that this address takes part in shows up here a moment after it happened.
      </Empty>
    )
  return (
    <ol className="history">
      {history.data.map(({ signature, slot, time, failed, memo, change }) => (
        <li key={signature} className="history-row">
          <span className={failed ? 'tag tag-bad' : 'tag tag-good'}>{failed ? 'Failed' : 'Succeeded'}</span>
          <Name kind="tx" value={signature} short />
          {change !== undefined && (
            <span className={change > 0 ? 'history-change change-up' : 'history-change'}>
              {change > 0 && '+'}
              <Sol lamports={change} />
            </span>
          )}
          {memo !== undefined && <span className="soft small break">{memo}</span>}
          <span className="history-when soft small">
            <Ago time={time} /> · slot <span className="number">{slot}</span>
          </span>
        </li>
      ))}
    </ol>
  )
}
