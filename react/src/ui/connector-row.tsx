import type { Connector } from '@keybay/kernel'
import { memo, type ReactNode } from 'react'
import { Icon } from './icon.js'

export interface ConnectorRowProps {
  readonly connector: Connector
  readonly busy: boolean
  onPick(connector: Connector): void
  onHint(connector: Connector): void
}

function Row({ connector, busy, onPick, onHint }: ConnectorRowProps): ReactNode {
  const { name, readiness, installUrl = '' } = connector
  const content = (note: string) => (
    <>
      <Icon connector={connector} />
      <span className="keybay-name">{name}</span>
      <span className="keybay-note">{note}</span>
    </>
  )
  if (readiness === 'not-installed')
    // The address comes with the plugin: nothing but a web page is opened.
    return /^https?:\/\//i.test(installUrl) ? (
      <a className="keybay-row" href={installUrl} target="_blank" rel="noopener noreferrer">
        {content('Install')}
        <span className="keybay-hidden">(opens a new tab)</span>
      </a>
    ) : (
      <span className="keybay-row">{content('Not installed')}</span>
    )
  return (
    <button
      type="button"
      className="keybay-row"
      aria-busy={busy}
      onClick={() => onPick(connector)}
      onPointerEnter={() => onHint(connector)}
      onFocus={() => onHint(connector)}
    >
      {content(busy ? 'Connecting…' : readiness === 'loading' ? 'Loading…' : '')}
    </button>
  )
}
/** A connector to choose. Memoised, so that of 1,000 only those that changed render. */
export const ConnectorRow: typeof Row = memo(Row)
