import type { Account, Connection } from '@keybay/kernel'
import { shorten } from '@keybay/kernel/spec'
import { useAccounts, useActiveAccount, useConnections, useConnectors, useDisconnect } from '@keybay/react'
import { Icon } from '@keybay/react/ui'
import { formatSol } from '@keybay/solana'
import { useBalance } from '@keybay/solana/react'
import { type PanelSlots, TokensView } from '@keybay/solana/ui'
import { useCurrentNetwork } from '../chain/use-loaded.js'
import { useOpenConnect } from '../connect/connect-provider.js'
import { Button, Card, CopyButton, groupDecimal, Loading, Page, Skeleton } from '../design/index.js'
import { AccountBadge, AccountNudge } from '../embedded/account-nudge.js'
import { EvmCard, evmChainName, useEvm } from '../evm/evm-card.js'
import { History } from '../explorer/history.js'
import { Link, LinkButton } from '../routing/link.js'
import { AirdropButton, TestTokensButton } from '../tokens/faucet.js'
import { panelSlots } from '../tokens/panel-slots.js'

const LATEST = 6

const localSlots: PanelSlots = {
  ...panelSlots,
  tokens: ({ address, reload }) => <TestTokensButton address={address} onArrival={reload} />,
}

export function OverviewPage() {
  const { cluster } = useCurrentNetwork()
  const tokenSlots = cluster === 'localnet' ? localSlots : panelSlots
  const { account } = useActiveAccount()
  const evm = useEvm()
  return (
    <Page title="Overview">
      <div className="overview">
        <div className="stack overview-main">
          {account && (
            <>
              <AccountNudge account={account} />
              <BalanceCard address={account.address} />
              <TokensView address={account.address} slots={tokenSlots} />
              <Card title="Activity" side={<Link to="/activity">Show all</Link>}>
                <History address={account.address} limit={LATEST} />
              </Card>
            </>
          )}
          {evm && <EvmCard evm={evm} />}
        </div>
        <AccountsCard />
      </div>
    </Page>
  )
}

function BalanceCard({ address }: { readonly address: string }) {
  const { balance, error } = useBalance(address)
  const network = useCurrentNetwork()
  return (
    <section className="balance" aria-labelledby="balance">
      <div className="keybay-card-head">
        <h2 id="balance">Balance</h2>
        <span className="chain-name">
          <span className="mono small">{shorten(address)}</span>
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
        <LinkButton to="/send" icon="send" text="Send" />
        <LinkButton to="/receive" icon="receive" text="Receive" />
        {network.isTestnet && <AirdropButton address={address} />}
      </div>
    </section>
  )
}

/** Row of one account; at most one Solana account and one EVM account are in use. */
function AccountRow({ account }: { readonly account: Account }) {
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
          {shorten(account.address)}
        </span>
        {namespace === 'eip155' && <span className="keybay-tag">{evmChainName(chain)}</span>}
        {account.key === active?.key && <span className="keybay-tag keybay-tag-accent">In use</span>}
      </label>
      <AccountBadge account={account} />
    </li>
  )
}

function Wallet({ connection }: { readonly connection: Connection }) {
  const accounts = useAccounts().filter(({ connectorId }) => connectorId === connection.connectorId)
  const connector = useConnectors().find(({ id }) => id === connection.connectorId)
  const disconnect = useDisconnect()
  const name = connector?.name ?? connection.connectorId
  return (
    <li className="connected-wallet">
      <div className="connected-wallet-head">
        {connector && <Icon connector={connector} size={28} />}
        <h3>{name}</h3>
        <Button
          kind="quiet"
          small
          icon="leave"
          text="Disconnect"
          aria-label={`Disconnect ${name}`}
          onClick={() => disconnect.run(connection.connectorId)}
        />
      </div>
      <ul>
        {accounts.map(account => (
          <AccountRow key={account.key} account={account} />
        ))}
      </ul>
    </li>
  )
}

function AccountsCard() {
  const connections = useConnections()
  const open = useOpenConnect()
  return (
    <Card title="Connected wallets">
      <ul className="stack" aria-label="Connected wallets">
        {connections.map(connection => (
          <Wallet key={connection.connectorId} connection={connection} />
        ))}
      </ul>
      <Button text="Connect another wallet" onClick={open} />
      <LinkButton to="/wallets" kind="quiet" text="Wallets of your account" />
    </Card>
  )
}
