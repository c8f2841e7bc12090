import type { Connector } from '@keybay/kernel'
import { memo, type ReactNode } from 'react'
import { Icon } from './icon.js'
import { ui } from './locales/en/ui.js'
import { useMessages } from './messages.js'
import { join, usePartClass } from './provider.js'

export interface ConnectorRowProps {
  readonly connector: Connector
  readonly busy: boolean
  /** The user connected it last. */
  readonly isLast: boolean
  onPick(connector: Connector): void
  onHint(connector: Connector): void
}

function Row({ connector, busy, isLast, onPick, onHint }: ConnectorRowProps): ReactNode {
  const { name, readiness, installUrl = '' } = connector
  const { text } = useMessages(ui)
  const rowClass = join('keybay-row', usePartClass('row'))
  // A description, so that the button's name stays that of the wallet.
  const described = isLast ? text('lastUsed') : undefined
  const isMissing = readiness === 'not-installed'
  const content = (note: string) => (
    <>
      <Icon connector={connector} size={isMissing ? 24 : 32} />
      <span className="keybay-name">
        <bdi>{name}</bdi>
      </span>
      <span className={isMissing ? 'keybay-hidden' : 'keybay-note'} aria-hidden={note === described}>
        {note}
      </span>
    </>
  )
  const getNote = () => {
    if (busy) return text('connecting')
    if (readiness === 'loading') return text('loading')
    return described ?? ''
  }
  if (isMissing)
    // The address comes with the plugin: nothing but a web page is opened.
    return /^https?:\/\//i.test(installUrl) ? (
      <a className={rowClass} href={installUrl} target="_blank" rel="noopener noreferrer">
        {content(`${text('install')} ${text('newTab')}`)}
      </a>
    ) : (
      <span className={rowClass}>{content(text('notInstalled'))}</span>
    )
  return (
    <button
      type="button"
      className={rowClass}
      aria-busy={busy}
      aria-description={described}
      onClick={() => onPick(connector)}
      onPointerEnter={() => onHint(connector)}
      onFocus={() => onHint(connector)}
    >
      {content(getNote())}
    </button>
  )
}
/** A connector to choose. Memoised, so that of 1,000 only those that changed render. */
export const ConnectorRow: typeof Row = memo(Row)
