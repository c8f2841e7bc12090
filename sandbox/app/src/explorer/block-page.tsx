import { type ReactElement, useCallback } from 'react'
import { useChain } from '../chain/use-chain.js'
import { Empty, Loading, Skeleton } from '../design/feedback.js'
import { formatCount, formatDate } from '../design/format.js'
import { Page } from '../shell/page.js'
import { loadBlock } from './block.js'
import { Fact, LoadFailed, Name } from './parts.js'

const REFRESH_MS = 4000

export function BlockPage({ slot }: { readonly slot: string }): ReactElement {
  const load = useCallback((url: string, signal: AbortSignal) => loadBlock(url, Number(slot), signal), [slot])
  const block = useChain(load, REFRESH_MS)
  const { data } = block
  return (
    <Page title={`Block ${slot}`}>
      <section className="card" aria-label="Block">
        {block.status === 'failed' && !data && (
          <LoadFailed what="this block" error={block.error} reload={block.reload} />
        )}
        {block.status === 'loading' && (
          <>
            <Loading what="the block" />
            <Skeleton width={40} />
            <Skeleton width={24} />
          </>
        )}
        {block.status === 'ready' && !data && (
          <Empty icon="block" title="No block in this slot">
            It may be yet to come, have been left out, or be too old for this node to remember.
          </Empty>
        )}
        {data && (
          <dl className="facts">
            <Fact name="Blockhash">
              <span className="mono">{data.hash}</span>
            </Fact>
            {data.height !== undefined && <Fact name="Height">{formatCount(data.height)}</Fact>}
            {data.time !== undefined && <Fact name="Time">{formatDate(data.time)}</Fact>}
            {data.parentSlot !== undefined && (
              <Fact name="Parent slot">
                <Name kind="block" value={String(data.parentSlot)} />
              </Fact>
            )}
            <Fact name="Transactions">
              {data.signatures.length === 0
                ? 'none'
                : data.signatures.map(signature => <Name key={signature} kind="tx" value={signature} short />)}
            </Fact>
          </dl>
        )}
      </section>
    </Page>
  )
}
