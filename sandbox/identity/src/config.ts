import { dataFolder, integer, jsonLog } from '@keybay/sandbox-service'
import type { IdentityOptions } from './index.js'

const MAX_PORT = 65_535

/** The options that the environment asks for; the README has the list. @throws Error that names a variable with a wrong value */
export function optionsFromEnv(env: NodeJS.ProcessEnv): IdentityOptions {
  return {
    port: integer(env, 'identity', 'IDENTITY_PORT', 4500, [0, MAX_PORT]),
    host: env.IDENTITY_HOST || '127.0.0.1',
    // `off` is said to the API: no provider is this one then.
    ...(env.IDENTITY_URL && env.IDENTITY_URL !== 'off' && { publicUrl: env.IDENTITY_URL }),
    ...(env.IDENTITY_REDIRECT_URIS && { redirectUris: env.IDENTITY_REDIRECT_URIS.split(',').map(uri => uri.trim()) }),
    cloudKitCallback:
      env.CLOUDKIT_CALLBACK_URL ||
      `http://wallet.localhost:${integer(env, 'identity', 'FRAME_PORT', 4200, [0, MAX_PORT])}/waas-v1/local/granted`,
    dataDir: dataFolder(env, 'identity'),
    ...(env.DATABASE_URL && { databaseUrl: env.DATABASE_URL }),
    admin: env.IDENTITY_ADMIN !== 'off',
    log: jsonLog(),
  }
}
