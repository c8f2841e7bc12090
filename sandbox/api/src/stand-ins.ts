/**
 * Social providers of the sandbox, for `npm start` and tests only: their secrets are published in this repository, so
 * any party can sign in as any user with them. Production code must not import this file; a test walks all imports.
 */
import { APPLE_KEY_ID, APPLE_TEAM, applePrivateKey, sandboxClient } from '@keybay/sandbox-identity/clients'
import { Variables } from '@keybay/sandbox-service'
import { PROVIDERS } from '@keybay/social/server'
import type { ApiOptions } from './index.js'
import type { SocialClient } from './social/registry.js'

function getClient(id: string): SocialClient {
  const client = sandboxClient(id)
  return id === 'apple' ? { ...client, secret: applePrivateKey(), team: APPLE_TEAM, keyId: APPLE_KEY_ID } : client
}

const CLIENTS: Readonly<Record<string, SocialClient>> = Object.fromEntries(
  PROVIDERS.map(({ id }) => [id, getClient(id)] as const),
)

/**
 * Adds the sandbox's clients to `social.identity`, the service that stands in for the providers.
 * @example await startApi(withStandIns({ mode: 'sandbox', …, social: { identity: { publicUrl, internalUrl } } }))
 */
export function withStandIns<Options extends Pick<ApiOptions, 'social'>>(options: Options): Options {
  const { social } = options
  if (!social?.identity) return options
  return { ...options, social: { ...social, identity: { clients: CLIENTS, ...social.identity } } }
}

/** Adds the stand-ins of IDENTITY_URL, by default on this machine. @throws Error that names a wrong variable */
export function standInsFromEnv(env: NodeJS.ProcessEnv, options: ApiOptions): ApiOptions {
  if (env.IDENTITY_URL === 'off') return options
  const variables = new Variables(env, 'api')
  const port = variables.port('IDENTITY_PORT', 4500)
  const url = (name: string, host: string) => variables.url(name, `http://${host}:${port}`).replace(/\/$/, '')
  const identity = {
    publicUrl: url('IDENTITY_URL', 'identity.localhost'),
    internalUrl: url('IDENTITY_INTERNAL_URL', '127.0.0.1'),
  }
  return withStandIns({ ...options, social: { ...options.social, identity } })
}
