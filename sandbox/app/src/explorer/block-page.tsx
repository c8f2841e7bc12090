import { useCallback } from 'react'
import { LoadFailed } from '../chain/load-failed.js'
import { at, ChainError, callChain, number, text, texts, toMs } from '../chain/rpc.js'
import { useChain } from '../chain/use-loaded.js'
import { Empty, Fact, formatCount, formatDate, Loading, Page } from '../design/index.js'
import { Name } from './parts.js'

const REFRESH_MS = 4000

/** Returns undefined when the slot has no block, or no longer has one. @throws ChainError */
export async function loadBlock(
  url: string,
  slot: number,
  signal: AbortSignal,
  transactionDetails: 'signatures' | 'none' = 'signatures',
) {
  const version = { maxSupportedTransactionVersion: 0, commitment: 'confirmed' }
  const options = { transactionDetails, rewards: false, ...version }
  const block = await callChain(url, 'getBlock', [slot, options], signal).catch(error => {
    // -32004, -32007, -32009: not available, skipped, or too old.
    if (error instanceof ChainError && /\(-3200[479]\)$/.test(error.message)) return undefined
    throw error
  })
  if (block === null || block === undefined) return undefined
  return {
    hash: text(at(block, 'blockhash')) ?? '',
    height: number(at(block, 'blockHeight')),
    parentSlot: number(at(block, 'parentSlot')),
    time: toMs(at(block, 'blockTime')),
    signatures: texts(at(block, 'signatures')),
  }
}

function Facts({ hash, height, time, parentSlot, signatures }: NonNullable<Awaited<ReturnType<typeof loadBlock>>>) {
  return (
    <dl className="keybay-facts">
      <Fact name="Blockhash">
        <span className="mono">{hash}</span>
      </Fact>
      {height !== undefined && <Fact name="Height">{formatCount(height)}</Fact>}
      {time !== undefined && <Fact name="Time">{formatDate(time)}</Fact>}
      {parentSlot !== undefined && (
        <Fact name="Parent slot">
          <Name kind="block" value={String(parentSlot)} />
        </Fact>
      )}
      <Fact name="Transactions">
        {signatures.length === 0 && 'none'}
        {signatures.map(signature => (
          <Name key={signature} kind="tx" value={signature} short />
        ))}
      </Fact>
    </dl>
  )
}

export function BlockPage({ slot }: { readonly slot: string }) {
  const load = useCallback((url: string, signal: AbortSignal) => loadBlock(url, Number(slot), signal), [slot])
  const { status, data, error, reload } = useChain(load, REFRESH_MS)
  return (
    <Page title={`Block ${slot}`}>
      <section className="keybay-card" aria-label="Block">
        {status === 'failed' && !data && <LoadFailed what="this block" error={error} reload={reload} />}
        {status === 'loading' && <Loading what="the block" widths={[40, 24]} />}
        {status === 'ready' && !data && (
          <Empty icon="block" title="No block in this slot">
            It may be yet to come, have been left out, or be too old for this node to remember.
          </Empty>
        )}
        {data && <Facts {...data} />}
      </section>
    </Page>
  )
}
