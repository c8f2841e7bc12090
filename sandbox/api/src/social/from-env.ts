/** Reads social providers from environment variables: credentials, and the operator's own providers. */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { PROVIDERS, type ServerProvider } from '@keybay/social/server'
import * as v from 'valibot'
import type { ApiOptions } from '../index.js'
import { getVariables, type SocialOptions } from './registry.js'

const providersModule = v.object({
  providers: v.array(
    v.custom<ServerProvider>(value => typeof value === 'object' && value !== null && 'protocol' in value),
  ),
})

/** Adds the providers of `API_SOCIAL_MODULE`, a file by the operator. @throws Error that names the variable */
export async function withOwnProviders(env: NodeJS.ProcessEnv, options: ApiOptions): Promise<ApiOptions> {
  const file = env.API_SOCIAL_MODULE
  if (!file) return options
  const loaded = await import(pathToFileURL(resolve(file)).href).catch((error: unknown) => String(error))
  const parsed = v.safeParse(providersModule, loaded)
  if (!parsed.success)
    throw new Error(
      `api cannot start: API_SOCIAL_MODULE: ${typeof loaded === 'string' ? loaded : 'it exports no "providers"'}`,
    )
  const { providers } = parsed.output
  const clients = { ...options.social?.clients, ...clientsFromEnv(env, providers) }
  return { ...options, social: { ...options.social, clients, providers } }
}

function clientsFromEnv(env: NodeJS.ProcessEnv, providers: readonly ServerProvider[]) {
  return Object.fromEntries(
    providers.flatMap(({ id }) => {
      const names = getVariables(id)
      const [clientId = '', secret = ''] = [env[names.id], env[names.secret]]
      if (clientId === '' && secret === '') return []
      const key = id === 'apple' && { team: env.SOCIAL_APPLE_TEAM_ID, keyId: env.SOCIAL_APPLE_KEY_ID }
      return [[id, { id: clientId, secret, ...key }] as const]
    }),
  )
}

/** Reads the credentials of the providers. Providers without credentials are off. */
export function socialFromEnv(env: NodeJS.ProcessEnv): SocialOptions {
  return { clients: clientsFromEnv(env, PROVIDERS) }
}
