import type { Account, Connection } from '@keybay/kernel'
import { useAccounts, useActiveAccount, useConnections, useConnectors, useDisconnect } from '@keybay/react'
import { Icon } from '@keybay/react/ui'
import type { ReactElement } from 'react'
import { useOpenConnect } from '../connect/connect-provider.js'
import { shorten } from '../design/format.js'
import { Glyph } from '../design/icons.js'
import { evmChainName } from '../evm/chains.js'
import { Link } from '../routing/link.js'

/** Row of one account; at most one Solana account and one EVM account are in use. */
function AccountRow({ account }: { readonly account: Account }): ReactElement {
  const [chain = ''] = account.chains
  const [namespace] = chain.split(':')
  const { account: active, setActive } = useActiveAccount(namespace)
  return (
    <li>
      <label className="account-row">
        <input
          type="radio"
          name={`active-account-${namespace}`}
          checked={account.key === active?.key}
          onChange={() => setActive(account.key)}
        />
        <span className="mono" title={account.address}>
          {shorten(account.address, 6)}
        </span>
        {namespace === 'eip155' && <span className="tag">{evmChainName(chain)}</span>}
        {account.key === active?.key && <span className="tag tag-accent">In use</span>}
      </label>
    </li>
  )
}

function Wallet({ connection }: { readonly connection: Connection }): ReactElement {
  const accounts = useAccounts().filter(({ connectorId }) => connectorId === connection.connectorId)
  const connector = useConnectors().find(({ id }) => id === connection.connectorId)
  const disconnect = useDisconnect()
  const name = connector?.name ?? connection.connectorId
  return (
    <li className="connected-wallet">
      <div className="connected-wallet-head">
        {connector && <Icon connector={connector} size={28} />}
        <h3>{name}</h3>
        <button
          type="button"
          className="button button-quiet button-small"
          aria-label={`Disconnect ${name}`}
          onClick={() => disconnect.run(connection.connectorId)}
        >
          <Glyph name="leave" size={18} />
          Disconnect
        </button>
      </div>
      <ul>
        {accounts.map(account => (
          <AccountRow key={account.key} account={account} />
        ))}
      </ul>
    </li>
  )
}

/** Lists all connected accounts and marks the one that the rest of the app uses. */
export function AccountsCard(): ReactElement {
  const connections = useConnections()
  const open = useOpenConnect()
  return (
    <section className="card" aria-labelledby="wallets">
      <h2 id="wallets">Connected wallets</h2>
      <ul className="stack" aria-label="Connected wallets">
        {connections.map(connection => (
          <Wallet key={connection.connectorId} connection={connection} />
        ))}
      </ul>
      <button type="button" className="button" onClick={open}>
        Connect another wallet
      </button>
      <Link to="/wallets" className="button button-quiet">
        Wallets of your account
      </Link>
    </section>
  )
}
