import { useNetwork } from '@keybay/solana/react'
import { getNetworkName } from '@keybay/solana/ui'
import { useId, useState } from 'react'
import { useChainHealth } from '../chain/chain-health.js'
import { Button, formatCount, IconButton, useLostFocus } from '../design/index.js'
import { readPreference, writePreference } from '../preferences.js'
import { LinkButton } from '../routing/link.js'
import type { DevtoolsToggle } from './use-devtools.js'

const says = { unknown: 'Asking …', up: 'Online', down: 'Not answering' } as const

/** Shows the network, its health, and the page's own settings. */
export function StatusBar({ panel }: { readonly panel: DevtoolsToggle }) {
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
              {getNetworkName(network)}
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
        <LinkButton to="/network" kind="quiet" small icon="host" text={<span className="bar-text">Node</span>} />
        <ThemeButton />
        <Button
          ref={events}
          kind="quiet"
          small
          icon="code"
          text={<span className="bar-text">Events</span>}
          aria-expanded={panel.isOpen}
          onClick={panel.toggle}
          onKeyDown={({ key }) => key === 'Escape' && panel.isOpen && panel.toggle()}
        />
      </div>
    </section>
  )
}

const looks = {
  auto: { icon: 'auto', says: 'Colours follow the system' },
  light: { icon: 'sun', says: 'Light colours' },
  dark: { icon: 'moon', says: 'Dark colours' },
} as const

/** Cycles through system, light and dark. */
function ThemeButton() {
  const [theme, choose] = useTheme()
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'auto'
  const { icon, says } = looks[theme]
  const label = `${says}. Change to: ${looks[next].says.toLowerCase()}`
  return <IconButton icon={icon} label={label} title={says} onClick={() => choose(next)} />
}

const THEMES = ['auto', 'light', 'dark'] as const
type Theme = (typeof THEMES)[number]

function readTheme(): Theme {
  const stored = readPreference('theme')
  return THEMES.find(theme => theme === stored) ?? 'auto'
}

/** `public/theme.js` applies the stored choice before the first paint. */
function useTheme() {
  const [theme, setTheme] = useState(readTheme)
  const choose = (next: Theme) => {
    if (next === 'auto') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = next
    writePreference('theme', next)
    setTheme(next)
  }
  return [theme, choose] as const
}
