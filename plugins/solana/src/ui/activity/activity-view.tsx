import { useActiveAccount } from '@keybay/react'
import { formatSol, type PlannedTransfer, type TransactionRecord } from '@keybay/solana'
import { useTransactions } from '@keybay/solana/react'
import { useCurrentNetwork } from '../chain/use-loaded.js'
import { NeedsAccount } from '../connect/connect-provider.js'
import { Card, groupDecimal, Page } from '../design/index.js'
import { History } from '../explorer/history.js'
import { Ago, Name } from '../explorer/parts.js'
import { tokenText } from '../tokens/holdings.js'
import { explain } from '../wording.js'

const LATEST = 25

const states = {
  pending: { says: 'Under way', tag: 'keybay-tag keybay-tag-accent' },
  confirmed: { says: 'Confirmed', tag: 'keybay-tag keybay-tag-good' },
  failed: { says: 'Failed', tag: 'keybay-tag keybay-tag-bad' },
  expired: { says: 'Expired', tag: 'keybay-tag keybay-tag-bad' },
} as const

function findText({ amount, token }: PlannedTransfer): string {
  return token ? tokenText(amount, token) : `${groupDecimal(formatSol(amount))} SOL`
}

function Row({ record }: { readonly record: TransactionRecord }) {
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
export function ActivityPage() {
  const { account } = useActiveAccount()
  const { networkId } = useCurrentNetwork()
  const { transactions } = useTransactions()
  if (!account)
    return (
      <Page title="Activity" width="narrow">
        <NeedsAccount to="see your activity" />
      </Page>
    )
  const sentTransactions = transactions.filter(
    transaction => transaction.networkId === networkId && transaction.from === account.address,
  )
  return (
    <Page title="Activity">
      <div className="stack">
        {sentTransactions.length > 0 && (
          <Card title="Sent from this browser">
            <ol className="history">
              {sentTransactions.map(record => (
                <Row key={record.signature} record={record} />
              ))}
            </ol>
          </Card>
        )}
        <Card title="On the chain">
          <History address={account.address} limit={LATEST} />
        </Card>
      </div>
    </Page>
  )
}
