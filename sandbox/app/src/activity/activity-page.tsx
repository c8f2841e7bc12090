import { useActiveAccount } from '@keybay/react'
import { formatSol, type PlannedTransfer, type TransactionRecord } from '@keybay/solana'
import { useTransactions } from '@keybay/solana/react'
import type { ReactElement } from 'react'
import { useCurrentNetwork } from '../chain/use-current-network.js'
import { NeedsAccount } from '../connect/needs-account.js'
import { groupDecimal } from '../design/format.js'
import { History } from '../explorer/history.js'
import { Ago, Name } from '../explorer/parts.js'
import { Page } from '../shell/page.js'
import { tokenText } from '../tokens/holdings.js'
import { explain } from '../wording.js'

const LATEST = 25

const states = {
  pending: { says: 'Under way', tag: 'tag tag-accent' },
  confirmed: { says: 'Confirmed', tag: 'tag tag-good' },
  failed: { says: 'Failed', tag: 'tag tag-bad' },
  expired: { says: 'Expired', tag: 'tag tag-bad' },
} as const

function findText({ amount, token }: PlannedTransfer): string {
  return token ? tokenText(amount, token) : `${groupDecimal(formatSol(amount))} SOL`
}

function Row({ record }: { readonly record: TransactionRecord }): ReactElement {
  const { signature, transfers, signedAt, status, error } = record
  const { says, tag } = states[status]
  return (
    <li className="history-row">
      <span className={tag}>{says}</span>
      <Name kind="tx" value={signature} short />
      {transfers.map(transfer => (
        <span key={transfer.to} className="history-change">
          −{findText(transfer)}
        </span>
      ))}
      {error && status !== 'pending' && <span className="soft small">{explain(error)}</span>}
      <span className="history-when soft small">
        <Ago time={signedAt} />
      </span>
    </li>
  )
}

/** Transactions that this browser sent, including before a reload, then the full history from the chain. */
export function ActivityPage(): ReactElement {
  const { account } = useActiveAccount()
  const { networkId } = useCurrentNetwork()
  const { transactions } = useTransactions()
  if (!account)
    return (
      <Page title="Activity" width="narrow">
        <NeedsAccount to="see your activity" />
      </Page>
    )
  const own = transactions.filter(
    transaction => transaction.networkId === networkId && transaction.from === account.address,
  )
  return (
    <Page title="Activity">
      <div className="stack">
        {own.length > 0 && (
          <section className="card" aria-labelledby="own-transactions">
            <h2 id="own-transactions">Sent from this browser</h2>
            <ol className="history">
              {own.map(record => (
                <Row key={record.signature} record={record} />
              ))}
            </ol>
          </section>
        )}
        <section className="card" aria-labelledby="chain-transactions">
          <h2 id="chain-transactions">On the chain</h2>
          <History address={account.address} limit={LATEST} />
        </section>
      </div>
    </Page>
  )
}
