import type { Connector } from '@keybay/kernel'
import { useConnectors } from '@keybay/react'
import { Icon } from '@keybay/react/ui'
import { useId, useState } from 'react'

const FEW = 5
const MAX = 50

function isOfAccount(wallet: Connector): boolean {
  return wallet.kind === 'wallet' && /^(embedded|custodial)/.test(wallet.connectionType)
}

/** Returns true for Solana wallets: the service verifies Solana signatures. */
function isForSolana(wallet: Connector): boolean {
  return wallet.kind === 'wallet' && wallet.wallet.chains.some(chain => chain.startsWith('solana:'))
}

function getPlace(wallet: Connector) {
  return wallet.kind === 'wallet' && wallet.connectionType === 'deepLink' ? 'On this phone' : 'Installed'
}

export function WalletChoices({ choose }: { choose(wallet: Connector): void }) {
  // The account's own wallets are available only after signing in.
  const wallets = useConnectors({ kind: 'wallet' }).filter(wallet => isForSolana(wallet) && !isOfAccount(wallet))
  const [query, setQuery] = useState('')
  const id = useId()
  const words = query.trim().toLowerCase()
  const matches = words ? wallets.filter(({ name }) => name.toLowerCase().includes(words)) : wallets
  const installed = matches.filter(({ readiness }) => readiness === 'ready' || readiness === 'loading')
  const missing = matches.filter(
    ({ readiness, installUrl = '' }) => readiness === 'not-installed' && /^https:/.test(installUrl),
  )
  const shown = installed.slice(0, words ? MAX : FEW)
  return (
    <section className="stack-tight" aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`} className="choices-title">
        Wallets
      </h3>
      {wallets.length > FEW + missing.length && (
        <input
          className="keybay-input"
          type="search"
          aria-label="Search wallets"
          placeholder={`Search ${wallets.length} wallets`}
          value={query}
          onChange={event => setQuery(event.target.value)}
        />
      )}
      <ul className="choices">
        {shown.map(wallet => (
          <li key={wallet.id}>
            <button type="button" className="choice" onClick={() => choose(wallet)}>
              <Icon connector={wallet} size={28} />
              <span className="choice-name">{wallet.name}</span>
              <span className="soft small">{wallet.readiness === 'loading' ? 'Loading …' : getPlace(wallet)}</span>
            </button>
          </li>
        ))}
        {missing.map(wallet => (
          <li key={wallet.id}>
            <a className="choice" href={wallet.installUrl} target="_blank" rel="noopener noreferrer">
              <Icon connector={wallet} size={28} />
              <span className="choice-name">{wallet.name}</span>
              <span className="soft small">
                Install<span className="visually-hidden"> (opens a new tab)</span>
              </span>
            </a>
          </li>
        ))}
      </ul>
      <p className="soft small" role="status">
        {words && matches.length === 0 && `No wallet is called “${query.trim()}”.`}
        {installed.length > shown.length && `${installed.length - shown.length} more: search by name.`}
      </p>
    </section>
  )
}
