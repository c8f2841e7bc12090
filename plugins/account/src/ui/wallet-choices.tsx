import type { Connector } from '@keybay/kernel'
import { useConnectors } from '@keybay/react'
import { Icon, signInMessages, useMessages } from '@keybay/react/ui'
import { type ReactElement, useId, useState } from 'react'
import { LastUsed, useLastUsed, useRecentSignIns } from './last-used.js'

const FEW = 5
const MAX = 50

function isOfAccount(wallet: Connector): boolean {
  return wallet.kind === 'wallet' && /^(embedded|custodial)/.test(wallet.connectionType)
}

/** Returns true for Solana wallets: the service verifies Solana signatures. */
function isForSolana(wallet: Connector): boolean {
  return wallet.kind === 'wallet' && wallet.wallet.chains.some(chain => chain.startsWith('solana:'))
}

function getNote(wallet: Connector) {
  if (wallet.readiness === 'loading') return 'loading'
  return wallet.kind === 'wallet' && wallet.connectionType === 'deepLink' ? 'onPhone' : 'installed'
}

export function WalletChoices({ choose }: { choose(wallet: Connector): void }): ReactElement {
  const { text, rich } = useMessages(signInMessages)
  // The account's own wallets are available only after signing in.
  const wallets = useConnectors({ kind: 'wallet' }).filter(wallet => isForSolana(wallet) && !isOfAccount(wallet))
  const [query, setQuery] = useState('')
  const id = useId()
  const words = query.trim().toLowerCase()
  const matches = words ? wallets.filter(({ name }) => name.toLowerCase().includes(words)) : wallets
  const ready = matches.filter(({ readiness }) => readiness === 'ready' || readiness === 'loading')
  const last = useRecentSignIns().list[0]
  const describe = useLastUsed()
  const installed = [...ready].sort((a, b) => Number(b.id === last) - Number(a.id === last))
  const missing = matches.filter(
    ({ readiness, installUrl = '' }) => readiness === 'not-installed' && /^https:/.test(installUrl),
  )
  const shown = installed.slice(0, words ? MAX : FEW)
  return (
    <section className="keybay-stack keybay-tight" aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`} className="keybay-options-title">
        {text('wallets')}
      </h3>
      {wallets.length > FEW + missing.length && (
        <input
          className="keybay-input"
          type="search"
          aria-label={text('searchWallets')}
          placeholder={text('searchWalletsOf', { count: wallets.length })}
          value={query}
          onChange={event => setQuery(event.target.value)}
        />
      )}
      <ul className="keybay-options">
        {shown.map(wallet => (
          <li key={wallet.id}>
            <button type="button" className="keybay-choice" onClick={() => choose(wallet)} {...describe(wallet.id)}>
              <Icon connector={wallet} size={28} />
              <span className="keybay-choice-name">
                <bdi>{wallet.name}</bdi>
              </span>
              {wallet.id === last ? (
                <LastUsed id={wallet.id} silent />
              ) : (
                <span className="keybay-soft keybay-small">{text(getNote(wallet))}</span>
              )}
            </button>
          </li>
        ))}
      </ul>
      {missing.length > 0 && (
        <ul className="keybay-others">
          {missing.map(wallet => (
            <li key={wallet.id}>
              <a className="keybay-row" href={wallet.installUrl} target="_blank" rel="noopener noreferrer">
                <Icon connector={wallet} size={24} />
                <span className="keybay-name">
                  <bdi>{wallet.name}</bdi>
                </span>
                <span className="keybay-hidden">
                  {text('install')} {text('newTab')}
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
      <p className="keybay-soft keybay-small" role="status">
        {words && matches.length === 0 && rich('noWallet', { query: query.trim() })}
        {installed.length > shown.length && rich('moreWallets', { count: installed.length - shown.length })}
      </p>
    </section>
  )
}
