import type { Connector } from '@keybay/kernel'
import { useConnectors } from '@keybay/react'
import { Button, Icon, signInMessages, useMessages } from '@keybay/react/ui'
import { type ReactElement, useId, useState } from 'react'
import { LastUsed, useLastUsed, useRecentSignIns } from './last-used.js'
import { groupProviders } from './social-groups.js'

interface SocialChoicesProps {
  /** Providers that the environment allows; undefined while unknown. */
  readonly allowed: readonly string[] | undefined
  choose(connector: Connector): void
  /** For a signed-in user: other linked accounts stay as they are. */
  readonly linking?: boolean
}
/** Lists the providers with their logos: the first group at once, the others on demand or by search. */
export function SocialChoices({ allowed, choose, linking = false }: SocialChoicesProps): ReactElement | null {
  const { text, rich } = useMessages(signInMessages)
  const connectors = useConnectors({ method: 'oauth' })
  const [query, setQuery] = useState('')
  const [showsAll, showAll] = useState(false)
  const id = useId()
  const words = query.trim().toLowerCase()
  const last = useRecentSignIns().list[0]
  const offered = connectors.filter(({ id }) => !allowed || allowed.includes(id.slice('social:'.length)))
  const groups = groupProviders(offered, linking ? undefined : last)
  const all = groups.flatMap(group => group.connectors)
  const matches = all.filter(({ name }) => name.toLowerCase().includes(words))
  const [first, ...others] = groups
  if (!first) return linking ? <p className="keybay-soft">{text('noProviders')}</p> : null
  return (
    <section className="keybay-stack keybay-tight" aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`} className="keybay-options-title">
        {text(linking ? 'socialToAdd' : 'social')}
      </h3>
      {others.length > 0 && (
        <input
          className="keybay-input"
          type="search"
          aria-label={text('searchSocial')}
          placeholder={text('searchProviders', { count: all.length })}
          value={query}
          onChange={event => setQuery(event.target.value)}
        />
      )}
      {words ? (
        <Providers label={text('found')} connectors={matches} choose={choose} />
      ) : (
        <>
          <Providers label={text(first.name)} connectors={first.connectors} choose={choose} />
          {showsAll &&
            others.map(group => (
              <section key={group.name} className="keybay-stack keybay-tight" aria-labelledby={`${id}-${group.name}`}>
                <h4 id={`${id}-${group.name}`} className="keybay-soft keybay-small">
                  {text(group.name)}
                </h4>
                <Providers label={text(group.name)} connectors={group.connectors} choose={choose} />
              </section>
            ))}
          {others.length > 0 && (
            <Button
              kind="quiet"
              wide
              text={showsAll ? text('fewer') : rich('showAll', { count: all.length })}
              aria-expanded={showsAll}
              onClick={() => showAll(!showsAll)}
            />
          )}
        </>
      )}
      <p className="keybay-soft keybay-small" role="status">
        {words && matches.length === 0 && rich('noProvider', { query: query.trim() })}
      </p>
    </section>
  )
}

interface ProvidersProps {
  readonly label: string
  readonly connectors: readonly Connector[]
  choose(connector: Connector): void
}
function Providers({ label, connectors, choose }: ProvidersProps) {
  const describe = useLastUsed()
  return (
    <ul className="keybay-social" aria-label={label}>
      {connectors.map(connector => (
        <li key={connector.id}>
          <button type="button" className="keybay-choice" onClick={() => choose(connector)} {...describe(connector.id)}>
            <span className="keybay-social-mark">
              <Icon connector={connector} size={22} />
            </span>
            <span className="keybay-choice-name">
              <bdi>{connector.name}</bdi>
            </span>
            <LastUsed id={connector.id} silent />
          </button>
        </li>
      ))}
    </ul>
  )
}
