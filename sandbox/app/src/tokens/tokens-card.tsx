import { useTokenAccounts } from '@keybay/solana/react'
import type { ReactElement } from 'react'
import { useCurrentNetwork } from '../chain/use-current-network.js'
import { Loading, Skeleton } from '../design/feedback.js'
import { LoadFailed } from '../explorer/parts.js'
import { Link } from '../routing/link.js'
import { getHoldings, type Holding, tokenText } from './holdings.js'
import { TestTokensButton } from './test-tokens-button.js'

function TokenRow({ holding }: { readonly holding: Holding }): ReactElement {
  const { mint, symbol, name, amount, frozen } = holding
  return (
    <li className="token-row">
      <span className="token-name">
        <strong title={mint}>{symbol}</strong>
        <span className="soft small">{name}</span>
      </span>
      {frozen && <span className="tag tag-bad">Frozen</span>}
      <span className="number">{tokenText(amount, holding)}</span>
      <Link to={`/send?token=${mint}`} className="button button-small" aria-label={`Send ${symbol}`}>
        Send
      </Link>
    </li>
  )
}

/** Lists SPL and Token-2022 tokens. */
export function TokensCard({ address }: { readonly address: string }): ReactElement {
  const { accounts, error, refresh } = useTokenAccounts(address)
  const { cluster } = useCurrentNetwork()
  const look = () => void refresh()
  const holdings = accounts && getHoldings(accounts)
  return (
    <section className="card" aria-labelledby="tokens">
      <div className="card-head">
        <h2 id="tokens">Tokens</h2>
        {cluster === 'localnet' && <TestTokensButton address={address} onArrival={look} />}
      </div>
      {holdings?.length ? (
        <ul className="tokens">
          {holdings.map(holding => (
            <TokenRow key={holding.mint} holding={holding} />
          ))}
        </ul>
      ) : holdings ? (
        <p className="soft">No tokens yet.</p>
      ) : error ? (
        <LoadFailed what="the tokens" error={error} reload={look} />
      ) : (
        <div className="tokens">
          <Loading what="the tokens" />
          <Skeleton width={20} />
        </div>
      )}
    </section>
  )
}
