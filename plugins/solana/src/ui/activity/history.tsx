import { activityMessages, Empty, Loading, useMessages, useRoot } from '@keybay/react/ui'
import type { ReactElement } from 'react'
import { useHistory } from '../../react/history.js'
import type { HistoryMovement } from '../../steps.js'
import { signed, solText } from '../format.js'
import { NotLoaded } from '../not-loaded.js'
import { useTokens } from '../tokens.js'
import { Ago, Signature } from './parts.js'

/** Amounts that came or went. The SOL beside tokens is the fee, or rent for an account. */
function Movements({ movement: { lamports, tokens } }: { readonly movement: HistoryMovement }) {
  const { amountText } = useTokens()
  const isBeside = tokens.length > 0
  const getClass = (amount: bigint) => (amount > 0n ? 'keybay-number keybay-came' : 'keybay-number')
  return (
    <span className="keybay-line keybay-movement">
      {tokens.map(({ account, amount, ...token }) => (
        <bdi key={account} className={getClass(amount)} title={token.mint}>
          {signed(amount, size => amountText(size, token))}
        </bdi>
      ))}
      {(lamports !== 0n || !isBeside) && (
        <bdi className={isBeside ? 'keybay-number keybay-soft keybay-small' : getClass(lamports)}>
          {lamports === 0n ? solText(0n) : signed(lamports, solText)}
        </bdi>
      )}
    </span>
  )
}

export interface TransactionHistoryProps {
  /** A wallet or a token account. */
  readonly address: string
  /** Default 25. */
  readonly limit?: number
}
/** The newest transactions of an address on the chain, with the amounts that came and went. */
export function History({ address, limit }: TransactionHistoryProps): ReactElement {
  const { text, rich } = useMessages(activityMessages)
  const { entries, error, refresh } = useHistory(address, limit)
  if (!entries && error) return <NotLoaded title={text('notLoaded')} error={error} retry={() => void refresh()} />
  if (!entries) return <Loading what={text('transactions')} widths={[22, 18, 20]} />
  if (!entries.length)
    return (
      <Empty icon="block" title={text('empty')}>
        {text('emptyText')}
      </Empty>
    )
  return (
    <ol className="keybay-rows keybay-history">
      {entries.map(({ signature, slot, time, failed, memo, movement }) => (
        <li key={signature} className="keybay-line">
          <span className={failed ? 'keybay-tag keybay-tag-bad' : 'keybay-tag keybay-tag-good'}>
            {text(failed ? 'failed' : 'succeeded')}
          </span>
          <Signature signature={signature} />
          {movement && <Movements movement={movement} />}
          {memo !== undefined && <bdi className="keybay-soft keybay-small keybay-break">{memo}</bdi>}
          <span className="keybay-soft keybay-small keybay-when">
            <Ago time={time} /> · {rich('slot', { slot })}
          </span>
        </li>
      ))}
    </ol>
  )
}

/** The history where it stands alone. */
export function HistoryView(props: TransactionHistoryProps): ReactElement {
  const root = useRoot()
  return (
    <div {...root}>
      <History {...props} />
    </div>
  )
}
