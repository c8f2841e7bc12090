import { jsonLog, Variables } from '@keybay/sandbox-service'
import type { IdentityOptions } from './index.js'

/**
 * Reads the options from the environment; the README lists them. @throws Error that names a variable with a wrong value
 */
export function optionsFromEnv(env: NodeJS.ProcessEnv): IdentityOptions {
  const variables = new Variables(env, 'identity')
  // `off` is meant for the API, which then uses none of these providers.
  const publicUrl = env.IDENTITY_URL === 'off' ? undefined : variables.url('IDENTITY_URL', undefined)
  const databaseUrl = variables.database('IDENTITY_DATABASE_URL')
  const admin = variables.isOn('IDENTITY_ADMIN')
  const framePort = variables.port('FRAME_PORT', 4200)
  const redirectUris = env.IDENTITY_REDIRECT_URIS?.split(',').flatMap(uri => uri.trim() || [])
  const wrong = redirectUris?.find(uri => !URL.canParse(uri))
  if (wrong !== undefined) throw new Error(`identity: IDENTITY_REDIRECT_URIS: "${wrong}" is not an address`)
  return {
    port: variables.portOrAny('IDENTITY_PORT', 4500),
    host: env.IDENTITY_HOST || '127.0.0.1',
    ...(publicUrl && { publicUrl }),
    ...(redirectUris?.length && { redirectUris }),
    cloudKitCallback: variables.url(
      'CLOUDKIT_CALLBACK_URL',
      `http://wallet.localhost:${framePort}/waas-v1/local/granted`,
    ),
    dataDir: variables.dataFolder(),
    ...(databaseUrl && { databaseUrl }),
    ...(admin !== undefined && { admin }),
    log: jsonLog(),
  }
}
