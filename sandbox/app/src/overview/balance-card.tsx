import { formatSol } from '@keybay/solana'
import { useBalance } from '@keybay/solana/react'
import type { ReactElement } from 'react'
import { useCurrentNetwork } from '../chain/use-current-network.js'
import { CopyButton } from '../design/copy-button.js'
import { Loading, Skeleton } from '../design/feedback.js'
import { groupDecimal, shorten } from '../design/format.js'
import { Glyph } from '../design/icons.js'
import { Link } from '../routing/link.js'
import { AirdropButton } from './airdrop-button.js'

/** Balance of an address, with actions. */
export function BalanceCard({ address }: { readonly address: string }): ReactElement {
  const { balance, error } = useBalance(address)
  const network = useCurrentNetwork()
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
        {balance !== undefined ? (
          <>
            {groupDecimal(formatSol(balance))} <span className="balance-unit">SOL</span>
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
