import { address, databaseAddress, dataFolder, integer, jsonLog, onOrOff } from '@keybay/sandbox-service'
import type { IdentityOptions } from './index.js'

const MAX_PORT = 65_535

/**
 * Reads the options from the environment; the README lists them. @throws Error that names a variable with a wrong value
 */
export function optionsFromEnv(env: NodeJS.ProcessEnv): IdentityOptions {
  const url = <T extends string | undefined>(name: string, fallback: T, schemes?: readonly string[]) =>
    address(env, 'identity', name, fallback, schemes)
  // `off` is meant for the API, which then uses none of these providers.
  const publicUrl = env.IDENTITY_URL === 'off' ? undefined : url('IDENTITY_URL', undefined)
  const databaseUrl = databaseAddress(env, 'identity', 'IDENTITY_DATABASE_URL')
  const admin = onOrOff(env, 'identity', 'IDENTITY_ADMIN')
  const framePort = integer(env, 'identity', 'FRAME_PORT', 4200, [0, MAX_PORT])
  const redirectUris = env.IDENTITY_REDIRECT_URIS?.split(',').flatMap(uri => uri.trim() || [])
  const wrong = redirectUris?.find(uri => !URL.canParse(uri))
  if (wrong !== undefined) throw new Error(`identity: IDENTITY_REDIRECT_URIS: "${wrong}" is not an address`)
  return {
    port: integer(env, 'identity', 'IDENTITY_PORT', 4500, [0, MAX_PORT]),
    host: env.IDENTITY_HOST || '127.0.0.1',
    ...(publicUrl && { publicUrl }),
    ...(redirectUris?.length && { redirectUris }),
    cloudKitCallback: url('CLOUDKIT_CALLBACK_URL', `http://wallet.localhost:${framePort}/waas-v1/local/granted`),
    dataDir: dataFolder(env, 'identity'),
    ...(databaseUrl && { databaseUrl }),
    ...(admin !== undefined && { admin }),
    log: jsonLog(),
  }
}
