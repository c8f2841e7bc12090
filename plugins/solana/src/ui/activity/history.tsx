import { Empty, Loading } from '@keybay/react/ui'
import { useCallback } from 'react'
import { LoadFailed } from '../chain/load-failed.js'
import { at, callChain, list, number, text, toMs } from '../chain/rpc.js'
import { useChain } from '../chain/use-loaded.js'
import { readMemo } from './memo.js'
import { Ago, Name, Sol, TokenAmount } from './parts.js'
import { loadTransaction, type TokenChange } from './transaction.js'

/** Polling interval, in ms. */
const REFRESH_MS = 4000

interface Movement {
  /** Change of the address's own balance. */
  readonly lamports: number
  readonly tokens: readonly TokenChange[]
}
/** Cache of values that never change: `${url} ${address} ${signature}` → movement. */
const movements = new Map<string, Movement>()

/** Returns what the transaction moved for the address, which is a wallet or a token account. */
async function loadMovement(url: string, address: string, signature: string, signal: AbortSignal) {
  const key = `${url} ${address} ${signature}`
  const known = movements.get(key)
  if (known) return known
  const transaction = await loadTransaction(url, signature, signal)
  if (!transaction) return undefined
  const own = transaction.changes.find(change => change.address === address)
  const tokens = transaction.tokenChanges.filter(({ owner, account }) => owner === address || account === address)
  const movement = { lamports: own ? own.after - own.before : 0, tokens }
  movements.set(key, movement)
  return movement
}

/** Returns transactions, newest first. @throws ChainError */
async function loadHistory(url: string, address: string, limit: number, signal: AbortSignal) {
  const options = { limit, commitment: 'confirmed' }
  const entries = await callChain(url, 'getSignaturesForAddress', [address, options], signal)
  const read = async (entry: unknown) => {
    const signature = text(at(entry, 'signature')) ?? ''
    return {
      signature,
      movement: await loadMovement(url, address, signature, signal),
      slot: number(at(entry, 'slot')) ?? 0,
      time: toMs(at(entry, 'blockTime')),
      failed: (at(entry, 'err') ?? null) !== null,
      memo: text(at(entry, 'memo')),
    }
  }
  return Promise.all(list(entries).map(read))
}

/** Amounts that came or went. The SOL beside tokens is the fee, or rent for an account. */
function Movements({ movement: { lamports, tokens } }: { readonly movement: Movement }) {
  return (
    <span className="history-change row">
      {tokens.map(change => (
        <TokenAmount key={change.account} change={change} />
      ))}
      {(lamports !== 0 || tokens.length === 0) && (
        <span className={tokens.length > 0 ? 'soft small' : lamports > 0 ? 'change-up' : undefined}>
          {lamports > 0 && '+'}
          <Sol lamports={lamports} />
        </span>
      )}
    </span>
  )
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
      {data.map(({ signature, slot, time, failed, memo, movement }) => (
        <li key={signature} className="history-row">
          <span className={failed ? 'keybay-tag keybay-tag-bad' : 'keybay-tag keybay-tag-good'}>
            {failed ? 'Failed' : 'Succeeded'}
          </span>
          <Name kind="tx" value={signature} short />
          {movement && <Movements movement={movement} />}
          {memo !== undefined && <span className="soft small break">{readMemo(memo)}</span>}
          <span className="history-when soft small">
            <Ago time={time} /> · slot <span className="number">{slot}</span>
          </span>
        </li>
      ))}
    </ol>
  )
}
