import { useCallback } from 'react'
import { at, callChain, list, number, text, toMs } from '../chain/rpc.js'
import { useChain } from '../chain/use-loaded.js'
import { Empty, Loading } from '../design/feedback.js'
import { Ago, LoadFailed, Name, Sol } from './parts.js'
import { loadTransaction } from './transaction.js'

/** Polling interval, in ms. */
const REFRESH_MS = 4000

/** Cache of values that never change: `${url} ${address} ${signature}` → lamports. */
const changes = new Map<string, number>()

/** Returns the change of the address's balance, in lamports. */
async function loadChange(url: string, address: string, signature: string, signal: AbortSignal) {
  const key = `${url} ${address} ${signature}`
  const known = changes.get(key)
  if (known !== undefined) return known
  const transaction = await loadTransaction(url, signature, signal)
  const change = transaction?.changes.find(change => change.address === address)
  if (change) changes.set(key, change.after - change.before)
  return changes.get(key)
}

/** Returns transactions, newest first. @throws ChainError */
async function loadHistory(url: string, address: string, limit: number, signal: AbortSignal) {
  const options = { limit, commitment: 'confirmed' }
  const entries = await callChain(url, 'getSignaturesForAddress', [address, options], signal)
  const read = async (entry: unknown) => {
    const signature = text(at(entry, 'signature')) ?? ''
    return {
      signature,
      change: await loadChange(url, address, signature, signal),
      slot: number(at(entry, 'slot')) ?? 0,
      time: toMs(at(entry, 'blockTime')),
      failed: (at(entry, 'err') ?? null) !== null,
      memo: text(at(entry, 'memo')),
    }
  }
  return Promise.all(list(entries).map(read))
}

export function History({ address, limit }: { readonly address: string; readonly limit: number }) {
  const load = useCallback(
    (url: string, signal: AbortSignal) => loadHistory(url, address, limit, signal),
    [address, limit],
  )
  const { status, data, error, reload } = useChain(load, REFRESH_MS)
  if (!data && status === 'failed') return <LoadFailed what="the transactions" error={error} reload={reload} />
  if (!data)
    return (
      <div className="history">
        <Loading what="transactions" widths={[22, 18, 20]} />
      </div>
    )
  if (!data.length)
    return (
      <Empty icon="block" title="No transactions yet">
        Everything that this address takes part in shows up here a moment after it happened.
      </Empty>
    )
  return (
    <ol className="history">
      {data.map(({ signature, slot, time, failed, memo, change }) => (
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
