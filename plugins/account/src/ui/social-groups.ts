import type { Connector } from '@keybay/kernel'

/** The first group is shown at once. Each has the order that users see. */
const GROUPS = [
  ['social_common', 'google apple microsoft facebook'],
  ['social_networks', 'twitter instagram tiktok linkedin telegram line farcaster'],
  ['social_code', 'github gitlab bitbucket'],
  ['social_games', 'discord twitch steam epicgames spotify'],
  ['social_shops', 'coinbasesocial kraken shopify'],
] as const
const KNOWN = GROUPS.flatMap(([, providers]) => providers.split(' '))

interface SocialGroup {
  readonly name: (typeof GROUPS)[number][0] | 'social_other'
  readonly connectors: readonly Connector[]
}

function getProvider({ id }: Connector): string {
  return id.slice('social:'.length)
}

/**
 * Groups the connectors of social providers; the app's own providers come last. Leaves out empty groups.
 *
 * @param last id of the connector that was used last: it comes first
 */
export function groupProviders(connectors: readonly Connector[], last?: string): readonly SocialGroup[] {
  const groups = sortIntoGroups(connectors)
  const used = connectors.find(({ id }) => id === last)
  if (!used) return groups
  const [first, ...others] = groups.map(group => ({
    ...group,
    connectors: group.connectors.filter(one => one !== used),
  }))
  const { name = 'social_common', connectors: common = [] } = first ?? {}
  return [{ name, connectors: [used, ...common] }, ...others.filter(group => group.connectors.length > 0)]
}

function sortIntoGroups(connectors: readonly Connector[]): readonly SocialGroup[] {
  const groups: readonly SocialGroup[] = [
    ...GROUPS.map(([name, providers]) => ({
      name,
      connectors: providers.split(' ').flatMap(id => connectors.filter(connector => getProvider(connector) === id)),
    })),
    { name: 'social_other', connectors: connectors.filter(connector => !KNOWN.includes(getProvider(connector))) },
  ]
  return groups.filter(group => group.connectors.length > 0)
}
