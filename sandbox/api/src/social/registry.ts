/** Selects the social providers that work here: with credentials, or stand-ins if the caller passes any. */
import type { Log } from '@keybay/sandbox-service'
import { PROVIDERS, type ServerProvider } from '@keybay/social/server'

/** Credentials that the provider issued to the operator. */
export interface SocialClient {
  readonly id: string
  /** Client secret; for Apple a private key in PEM, or a signed secret. */
  readonly secret: string
  readonly team?: string | undefined
  readonly keyId?: string | undefined
}

/** Service that stands in for providers without credentials, for a service on this machine only. */
export interface StandInProviders {
  readonly publicUrl: string
  readonly internalUrl: string
  /** Clients of the service, by provider. A provider without an entry stays off. */
  readonly clients?: Readonly<Record<string, SocialClient>>
}

/** Reason why production refuses stand-ins, after the name of the variable. */
export const STAND_INS_ARE_ON =
  ' is not off: it names stand-ins for the providers, which let anyone sign in as any user. Set IDENTITY_URL=off.'

export interface SocialOptions {
  /** If absent, providers without credentials are off. `@keybay/sandbox-api/sandbox` adds the service's clients. */
  readonly identity?: StandInProviders
  readonly clients?: Readonly<Record<string, SocialClient>>
  /** Providers of third parties, in addition to the 22. */
  readonly providers?: readonly ServerProvider[]
}

export interface ActiveProvider {
  readonly provider: ServerProvider
  readonly client: SocialClient
  /** Returns the URL at which a browser finds an address of the provider; also an issuer's name. */
  readonly publicUrl: (url: string) => string
  /** Returns the URL at which this service finds an address of the provider. */
  readonly internalUrl: (url: string) => string
}

export interface SocialRegistry {
  /** All known providers, enabled or not. */
  readonly known: ReadonlySet<string>
  get(id: string): ActiveProvider | undefined
}

/** Returns the names of a provider's variables: `my-idp` → `SOCIAL_MY_IDP_CLIENT_ID` */
export function getVariables(id: string): { readonly id: string; readonly secret: string } {
  const name = `SOCIAL_${id.toUpperCase().replace(/[^A-Z0-9]/g, '_')}_CLIENT`
  return { id: `${name}_ID`, secret: `${name}_SECRET` }
}

function same(url: string): string {
  return url
}

/** Maps a provider's URL to identity: below the provider's name, and below the shop's if each shop has its own host. */
function moved(base: string, { id, ...provider }: ServerProvider) {
  return (url: string): string =>
    url.replace(/^https:\/\/([^/?]+)/, (_, host: string) => {
      const shop = provider.protocol === 'oauth2' && provider.shops ? `/${host}` : ''
      return `${base}/${id}${shop}`
    })
}

/** Logs the missing variables of each provider that stays off. */
export function createSocialRegistry(
  { identity, clients = {}, providers = [] }: SocialOptions,
  log: Log,
): SocialRegistry {
  const all = [...PROVIDERS, ...providers]
  const active = new Map<string, ActiveProvider>()
  for (const provider of all) {
    const { id } = provider
    const client = clients[id]
    const standIn = identity?.clients?.[id]
    const variables = getVariables(id)
    const missing = [...(client?.id ? [] : [variables.id]), ...(client?.secret ? [] : [variables.secret])]
    if (client && missing.length === 0) active.set(id, { provider, client, publicUrl: same, internalUrl: same })
    // Incomplete credentials are a mistake, which must not lead to a provider of invented users.
    else if (!client && identity && standIn)
      active.set(id, {
        provider,
        client: standIn,
        publicUrl: moved(identity.publicUrl, provider),
        internalUrl: moved(identity.internalUrl, provider),
      })
    else log({ level: 'warn', message: 'social provider is off: credentials are missing', provider: id, missing })
  }
  return { known: new Set(all.map(({ id }) => id)), get: id => active.get(id) }
}
