import type { Connector } from '@keybay/kernel'
import { useConnectors } from '@keybay/react'
import { Button, Icon } from '@keybay/react/ui'
import { useId, useState } from 'react'
import { providerGroups } from './providers.js'

interface SocialChoicesProps {
  /** Providers that the environment allows; undefined while unknown. */
  readonly allowed: readonly string[] | undefined
  choose(connector: Connector): void
  /** For a signed-in user: other linked accounts stay as they are. */
  readonly linking?: boolean
}
/** Lists the providers with their logos: the first group at once, the others on demand or by search. */
export function SocialChoices({ allowed, choose, linking = false }: SocialChoicesProps) {
  const connectors = useConnectors({ method: 'oauth' })
  const [query, setQuery] = useState('')
  const [showsAll, showAll] = useState(false)
  const id = useId()
  const words = query.trim().toLowerCase()
  const groups = providerGroups
    .map(({ name, providers }) => ({
      name,
      connectors: providers.flatMap(({ id }) =>
        connectors.filter(
          connector => connector.id === id && (!allowed || allowed.includes(id.slice('social:'.length))),
        ),
      ),
    }))
    .filter(group => group.connectors.length > 0)
  const all = groups.flatMap(group => group.connectors)
  const matches = all.filter(({ name }) => name.toLowerCase().includes(words))
  const [first, ...others] = groups
  if (!first) return linking ? <p className="soft">No social provider is set up here.</p> : null
  return (
    <section className="stack-tight" aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`} className="choices-title">
        {linking ? 'Social accounts to add' : 'Social accounts'}
      </h3>
      {others.length > 0 && (
        <input
          className="keybay-input"
          type="search"
          aria-label="Search social accounts"
          placeholder={`Search ${all.length} providers`}
          value={query}
          onChange={event => setQuery(event.target.value)}
        />
      )}
      {words ? (
        <Providers label="Found" connectors={matches} choose={choose} />
      ) : (
        <>
          <Providers label={first.name} connectors={first.connectors} choose={choose} />
          {showsAll &&
            others.map(group => (
              <section key={group.name} className="stack-tight" aria-labelledby={`${id}-${group.name}`}>
                <h4 id={`${id}-${group.name}`} className="soft small">
                  {group.name}
                </h4>
                <Providers label={group.name} connectors={group.connectors} choose={choose} />
              </section>
            ))}
          {others.length > 0 && (
            <Button
              kind="quiet"
              wide
              text={showsAll ? 'Show fewer' : `Show all ${all.length}`}
              aria-expanded={showsAll}
              onClick={() => showAll(!showsAll)}
            />
          )}
        </>
      )}
      <p className="soft small" role="status">
        {words && matches.length === 0 && `No provider is called “${query.trim()}”.`}
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
  return (
    <ul className="social-choices" aria-label={label}>
      {connectors.map(connector => (
        <li key={connector.id}>
          <button type="button" className="choice" onClick={() => choose(connector)}>
            <span className="social-mark">
              <Icon connector={connector} size={22} />
            </span>
            <span className="choice-name">{connector.name}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}
