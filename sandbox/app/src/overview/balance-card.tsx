import { formatSol } from '@keybay/solana'
import { useBalance, useNetwork } from '@keybay/solana/react'
import type { ReactElement } from 'react'
import { CopyButton } from '../design/copy-button.js'
import { Loading, Skeleton } from '../design/feedback.js'
import { groupDecimal, shorten } from '../design/format.js'
import { Glyph } from '../design/icons.js'
import { Link } from '../routing/link.js'
import { AirdropButton } from './airdrop-button.js'

/** What is there and what can be done with it. */
export function BalanceCard({ address }: { readonly address: string }): ReactElement {
  const { data, error } = useBalance(address)
  const { network } = useNetwork()
  return (
    <section className="balance" aria-labelledby="balance">
      <div className="card-head">
        <h2 id="balance">Balance</h2>
        <span className="chain-name">
          <span className="mono small">{shorten(address, 6)}</span>
          <CopyButton text={address} label="Copy address" />
        </span>
      </div>
      <p className="balance-amount number" aria-live="polite">
        {data !== undefined ? (
          <>
            {groupDecimal(formatSol(data))} <span className="balance-unit">SOL</span>
          </>
        ) : error ? (
          <span className="balance-unit">unknown until {network.name} answers</span>
        ) : (
          <>
            <Skeleton width={6} />
            <Loading what="the balance" />
          </>
        )}
      </p>
      <div className="row balance-actions">
        <Link to="/send" className="button">
          <Glyph name="send" size={18} />
          Send
        </Link>
        <Link to="/receive" className="button">
          <Glyph name="receive" size={18} />
          Receive
        </Link>
        {network.isTestnet && <AirdropButton address={address} />}
      </div>
    </section>
  )
}
