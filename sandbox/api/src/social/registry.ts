/** Which social providers work here: the real ones, where there are credentials; else stand-ins, where they are passed in. */
import type { Log } from '@keybay/sandbox-service'
import { PROVIDERS, type ServerProvider } from '@keybay/social/server'

/** What the provider gave to the operator. */
export interface SocialClient {
  readonly id: string
  /** Apple's: its private key in PEM, or a signed secret. */
  readonly secret: string
  /** Of Apple's key. */
  readonly team?: string | undefined
  readonly keyId?: string | undefined
}

/** The service that stands in for providers without credentials. Only for a service of this machine. */
export interface StandInProviders {
  readonly publicUrl: string
  readonly internalUrl: string
  /** The service's clients, by provider. A provider that is not here stays off. */
  readonly clients?: Readonly<Record<string, SocialClient>>
}

/** Why an API that users reach by a public name does not start with them. */
export const STAND_INS_ARE_ON =
  'IDENTITY_URL is not off: it names stand-ins for the providers, which let anyone sign in as any user. Set IDENTITY_URL=off.'

export interface SocialOptions {
  /** Without it providers without credentials are off. `@keybay/sandbox-api/sandbox` adds its clients. */
  readonly identity?: StandInProviders
  /** By provider. */
  readonly clients?: Readonly<Record<string, SocialClient>>
  /** Providers of others, beside the 22. */
  readonly providers?: readonly ServerProvider[]
}

/** A provider that works. */
export interface ActiveProvider {
  readonly provider: ServerProvider
  readonly client: SocialClient
  /** Where a browser finds an address of the provider; also the name of an issuer. */
  readonly publicUrl: (url: string) => string
  /** Where we find it. */
  readonly internalUrl: (url: string) => string
}

export interface SocialRegistry {
  /** All that are known, working or not. */
  readonly known: ReadonlySet<string>
  get(id: string): ActiveProvider | undefined
}

/** `my-idp` → `SOCIAL_MY_IDP_CLIENT_ID` */
export function variablesOf(id: string): { readonly id: string; readonly secret: string } {
  const name = `SOCIAL_${id.toUpperCase().replace(/[^A-Z0-9]/g, '_')}_CLIENT`
  return { id: `${name}_ID`, secret: `${name}_SECRET` }
}

function same(url: string): string {
  return url
}

/** An address of the provider, at identity: below the provider's name, and the shop's where each has a host. */
function moved(base: string, { id, ...provider }: ServerProvider) {
  return (url: string): string =>
    url.replace(/^https:\/\/([^/?]+)/, (_, host: string) => {
      const shop = provider.protocol === 'oauth2' && provider.shops ? `/${host}` : ''
      return `${base}/${id}${shop}`
    })
}

/** Says in the log which variables are missing where a provider stays off. */
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
    const variables = variablesOf(id)
    const missing = [...(client?.id ? [] : [variables.id]), ...(client?.secret ? [] : [variables.secret])]
    if (client && missing.length === 0) active.set(id, { provider, client, publicUrl: same, internalUrl: same })
    // Half of the credentials is a mistake, which must not end at a provider of made-up people.
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
