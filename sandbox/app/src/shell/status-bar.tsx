import { useNetwork } from '@keybay/solana/react'
import { type ReactElement, useId } from 'react'
import { networkName } from '../chain/use-current-network.js'
import { formatCount } from '../design/format.js'
import { Glyph } from '../design/icons.js'
import { useLostFocus } from '../design/use-lost-focus.js'
import type { DeveloperPanelState } from '../developer/use-developer-panel.js'
import { Link } from '../routing/link.js'
import { useChainHealth } from './chain-health.js'
import { ThemeButton } from './theme-button.js'

const says = { unknown: 'Asking …', up: 'Online', down: 'Not answering' } as const

/** Shows the network, its health, and the page's own settings. */
export function StatusBar({ panel }: { readonly panel: DeveloperPanelState }): ReactElement {
  const { network, networks, select } = useNetwork()
  const { status, slot } = useChainHealth()
  const id = useId()
  const events = useLostFocus<HTMLButtonElement>(panel.isOpen)
  return (
    <section className="status-bar" aria-label="Network and settings">
      <div className="bar">
        <label className="visually-hidden" htmlFor={id}>
          Network
        </label>
        <select
          id={id}
          className="select"
          value={network?.networkId}
          onChange={event => select(Number(event.target.value))}
        >
          {networks.map(network => (
            <option key={network.networkId} value={network.networkId}>
              {networkName(network)}
            </option>
          ))}
        </select>
        <p className={`health health-${status}`}>
          <span className="health-dot" aria-hidden="true" />
          <span className="health-text">{says[status]}</span>
          {slot !== undefined && status === 'up' && (
            <span className="health-slot number">slot {formatCount(slot)}</span>
          )}
        </p>
        <Link to="/network" className="button button-quiet button-small">
          <Glyph name="host" size={18} />
          <span className="bar-text">Node</span>
        </Link>
        <ThemeButton />
        <button
          ref={events}
          type="button"
          className="button button-quiet button-small"
          aria-expanded={panel.isOpen}
          onClick={panel.toggle}
          onKeyDown={event => {
            if (event.key === 'Escape' && panel.isOpen) panel.toggle()
          }}
        >
          <Glyph name="code" size={18} />
          <span className="bar-text">Events</span>
        </button>
      </div>
    </section>
  )
}
