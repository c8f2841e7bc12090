import { activityMessages, Card, useExplain, useMessages, useRoot } from '@keybay/react/ui'
import type { ReactElement } from 'react'
import { useTransactions } from '../../react/transactions.js'
import type { PlannedTransfer, TransactionRecord } from '../../steps.js'
import { useCurrentNetwork } from '../current-network.js'
import { solText } from '../format.js'
import { useTokens } from '../tokens.js'
import { History, type TransactionHistoryProps } from './history.js'
import { Ago, Signature } from './parts.js'

const TAGS = {
  pending: 'keybay-tag keybay-tag-accent',
  confirmed: 'keybay-tag keybay-tag-good',
  failed: 'keybay-tag keybay-tag-bad',
  expired: 'keybay-tag keybay-tag-bad',
} as const

function Row({ record }: { readonly record: TransactionRecord }) {
  const { signature, transfers, signedAt, status, error } = record
  const { text } = useMessages(activityMessages)
  const explain = useExplain()
  const { amountText } = useTokens()
  const write = ({ amount, token }: PlannedTransfer) => (token ? amountText(amount, token) : solText(amount))
  return (
    <li className="keybay-line">
      <span className={TAGS[status]}>{text(status)}</span>
      <Signature signature={signature} />
      {transfers.map(transfer => (
        <bdi key={transfer.to} className="keybay-movement keybay-number">
          −{write(transfer)}
        </bdi>
      ))}
      {error && status !== 'pending' && <span className="keybay-soft keybay-small">{explain(error)}</span>}
      <span className="keybay-soft keybay-small keybay-when">
        <Ago time={signedAt} />
      </span>
    </li>
  )
}

/** Transactions that this browser sent, including before a reload, then the history from the chain. */
export function ActivityView({ address, limit }: TransactionHistoryProps): ReactElement {
  const { text } = useMessages(activityMessages)
  const root = useRoot('keybay-stack')
  const { networkId } = useCurrentNetwork()
  const { transactions } = useTransactions()
  const records = transactions.filter(record => record.networkId === networkId && record.from === address)
  return (
    <div {...root}>
      {records.length > 0 && (
        <Card title={text('sentHere')}>
          <ol className="keybay-rows keybay-history">
            {records.map(record => (
              <Row key={record.signature} record={record} />
            ))}
          </ol>
        </Card>
      )}
      <Card title={text('onChain')}>
        <History address={address} {...(limit !== undefined && { limit })} />
      </Card>
    </div>
  )
}
