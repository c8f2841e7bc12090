import { useCallback } from 'react'
import { LoadFailed } from '../chain/load-failed.js'
import { callChain, list, number } from '../chain/rpc.js'
import { useChain, useCurrentNetwork } from '../chain/use-loaded.js'
import { Card, Loading } from '../design/index.js'
import { loadBlock } from './block-page.js'
import { Ago, Name } from './parts.js'

/** Polling interval, in ms. */
const REFRESH_MS = 4000
const COUNT = 8
/** Slots to look back, because some have no block. */
const LOOK_BACK = 4 * COUNT

/** Loads the newest blocks, newest first. @throws ChainError */
async function loadRecentBlocks(url: string, counts: boolean, signal: AbortSignal) {
  const config = { commitment: 'confirmed' }
  const newest = number(await callChain(url, 'getSlot', [config], signal)) ?? 0
  const slots = list(await callChain(url, 'getBlocks', [Math.max(0, newest - LOOK_BACK), newest, config], signal))
  const wanted = slots.filter(slot => typeof slot === 'number').slice(-COUNT)
  const blocks = await Promise.all(
    wanted.map(async slot => {
      const block = await loadBlock(url, slot, signal, counts ? 'signatures' : 'none')
      return block && { slot, time: block.time, count: counts ? block.signatures.length : undefined }
    }),
  )
  return blocks.filter(block => block !== undefined).reverse()
}

function formatTransactions(count: number): string {
  if (count === 0) return 'no transactions'
  return count === 1 ? '1 transaction' : `${count} transactions`
}

export function RecentBlocks() {
  // Signatures of a public network's block weigh 100 KB.
  const isLocal = useCurrentNetwork().cluster === 'localnet'
  const load = useCallback((url: string, signal: AbortSignal) => loadRecentBlocks(url, isLocal, signal), [isLocal])
  const { status, data, error, reload } = useChain(load, REFRESH_MS)
  return (
    <Card title="Recent blocks">
      {status === 'failed' && !data && <LoadFailed what="the recent blocks" error={error} reload={reload} />}
      {!data && status === 'loading' && <Loading what="the recent blocks" widths={[24, 24, 24]} />}
      {data && (
        <ol className="keybay-rows" aria-label="Recent blocks">
          {data.map(({ slot, time, count }) => (
            <li key={slot} className="keybay-line keybay-apart">
              <Name kind="block" value={String(slot)} />
              <span className="soft small">
                {count !== undefined && `${formatTransactions(count)} · `}
                <Ago time={time} />
              </span>
            </li>
          ))}
        </ol>
      )}
    </Card>
  )
}
