import { Card, Loading, useMessages, useRoot, walletMessages } from '@keybay/react/ui'
import type { ReactElement } from 'react'
import { useTokenAccounts } from '../react/tokens.js'
import { NotLoaded } from './not-loaded.js'
import { useSlots } from './slots.js'
import { type Holding, useTokens } from './tokens.js'

export interface TokensViewProps {
  readonly address: string
}

function TokenRow({ holding }: { readonly holding: Holding }) {
  const { mint, amount, frozen } = holding
  const { text } = useMessages(walletMessages)
  const { token, sendToken } = useSlots()
  const { symbol, amountText } = useTokens()
  const symbolText = symbol(mint)
  const known = token?.(mint)
  return (
    <li className="keybay-token">
      <span>
        <strong title={mint}>
          <bdi>{symbolText}</bdi>
        </strong>{' '}
        {frozen && <span className="keybay-tag keybay-tag-bad">{text('frozen')}</span>}
        <span className="keybay-soft keybay-small">{known ? known.name : text('tokenUnknown')}</span>
      </span>
      <bdi className="keybay-number">{amountText(amount, holding)}</bdi>
      {sendToken?.({ mint, text: text('send'), label: text('sendToken', { token: symbolText }) })}
    </li>
  )
}

/** The tokens of a wallet: one row for each, over all of its accounts. */
export function TokensView({ address }: TokensViewProps): ReactElement {
  const { text } = useMessages(walletMessages)
  const root = useRoot()
  const { accounts, error, refresh } = useTokenAccounts(address)
  const { holdings } = useTokens()
  const { tokens } = useSlots()
  const list = accounts && holdings(accounts)
  const reload = () => void refresh()
  return (
    <div {...root}>
      <Card title={text('tokens')} side={tokens?.({ address, reload })}>
        {list?.length ? (
          <ul className="keybay-rows">
            {list.map(holding => (
              <TokenRow key={holding.mint} holding={holding} />
            ))}
          </ul>
        ) : list ? (
          <p className="keybay-soft">{text('tokensNone')}</p>
        ) : error ? (
          <NotLoaded title={text('tokensFailed')} error={error} retry={reload} />
        ) : (
          <Loading what={text('tokensRead')} widths={[20]} />
        )}
      </Card>
    </div>
  )
}
