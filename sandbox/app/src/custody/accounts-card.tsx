import type { Chain, WalletCredential } from '@keybay/kernel/spec'
import { useConnection } from '@keybay/react'
import { useTurnkeyWallet } from '@keybay/turnkey/react'
import type { ReactElement } from 'react'
import { Problem } from '../account/problem.js'
import { useChange } from '../account/use-change.js'
import { UseHere } from '../connect/use-here.js'
import { CopyButton } from '../design/copy-button.js'
import { shorten } from '../design/format.js'
import { Glyph } from '../design/icons.js'
import { chainNames } from '../embedded/chains.js'
import { Link } from '../routing/link.js'

const names: Partial<Readonly<Record<Chain, string>>> = chainNames

function AccountRow({ wallet: { address, chain } }: { readonly wallet: WalletCredential }): ReactElement {
  return (
    <li className="item">
      <Glyph name="wallet" size={24} />
      <div className="item-text">
        <p className="item-title row">
          <span className="mono" title={address}>
            {shorten(address, 6)}
          </span>
          <CopyButton text={address} label={`Copy ${shorten(address, 6)}`} />
        </p>
        <p className="soft small">{names[chain] ?? chain}</p>
      </div>
      <div className="item-actions">
        <Link
          to={`/custody/${address}/export`}
          className="button button-small"
          aria-label={`Export ${shorten(address, 6)}`}
        >
          Export
        </Link>
      </div>
    </li>
  )
}

function UseIt(): ReactElement {
  const connection = useConnection('turnkey')
  if (connection)
    return (
      <div className="row">
        <Link to="/send" className="button button-primary">
          Send
        </Link>
        <Link to="/sign" className="button">
          Sign a message
        </Link>
      </div>
    )
  return (
    <UseHere
      connector="turnkey"
      says="Its accounts are not among those of this app yet."
      action="Use it here"
      failed="It is not connected."
    />
  )
}

export function AccountsCard({ wallets }: { readonly wallets: readonly WalletCredential[] }): ReactElement {
  const add = useChange(useTurnkeyWallet().addAccount, 'Account added')
  return (
    <section className="card" aria-labelledby="custody-accounts">
      <h2 id="custody-accounts">Accounts</h2>
      <ul className="items" aria-label="Accounts">
        {wallets.map(wallet => (
          <AccountRow key={wallet.id} wallet={wallet} />
        ))}
      </ul>
      <UseIt />
      <div className="row">
        {(['SOL', 'EVM'] as const).map(chain => (
          <button
            key={chain}
            type="button"
            className="button button-small"
            aria-disabled={add.busy}
            onClick={() => add.run({ chain })}
          >
            <Glyph name="plus" size={18} />
            {chainNames[chain]} account
          </button>
        ))}
      </div>
      <Problem title="No account was added." error={add.error} />
    </section>
  )
}
