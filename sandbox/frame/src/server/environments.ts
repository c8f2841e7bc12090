/** Which environments the host serves, and how each is configured: from a file, or for the sandbox of this machine. */
import { readFileSync } from 'node:fs'
import { integer } from '@keybay/sandbox-service'
import { type FrameConfiguration, type RecordKey, readConfiguration } from '@keybay/waas/frame'
import { sandboxRelays } from './sandbox-relays.js'

/** Environment id → its configuration. Read for each page, because the sandbox's relays make their keys as they start. */
export type Environments = Readonly<Record<string, () => Promise<FrameConfiguration>>>

/** @throws TypeError that names the wrong field */
export const fixed = (configurations: readonly unknown[]): Environments =>
  Object.fromEntries(
    configurations
      .map(readConfiguration)
      .map(configuration => [configuration.environmentId, async () => configuration]),
  )

/**
 * What the environment variables ask for; the README lists them.
 *
 * @throws Error that names a variable with a wrong value
 */
export const readEnvironments = (env: NodeJS.ProcessEnv): Environments =>
  readFile(env) ?? { local: localEnvironment(env) }

const readFile = (env: NodeJS.ProcessEnv): Environments | undefined => {
  const file = env.FRAME_ENVIRONMENTS_FILE
  if (!file) return undefined
  try {
    const all: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (!Array.isArray(all)) throw new TypeError('it is not a list of configurations')
    return fixed(all)
  } catch (error) {
    throw new Error(
      `frame cannot start: FRAME_ENVIRONMENTS_FILE: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

/** The sandbox's identity service stands in for Google and Apple; with `DRIVE_CLIENT_ID` and so on it is the real ones. */
const backupOf = (env: NodeJS.ProcessEnv, identityPort: number) => {
  // Without that service there are the file and the product API.
  if (env.IDENTITY_URL === 'off') return undefined
  const identity = (env.IDENTITY_URL || `http://identity.localhost:${identityPort}`).replace(/\/$/, '')
  const { DRIVE_CLIENT_ID, CLOUDKIT_CONTAINER, CLOUDKIT_API_TOKEN } = env
  return {
    googleDrive: DRIVE_CLIENT_ID
      ? {
          apiUrl: 'https://www.googleapis.com',
          authorizeUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
          clientId: DRIVE_CLIENT_ID,
        }
      : { apiUrl: identity, authorizeUrl: `${identity}/drive/authorize`, clientId: 'keybay-sandbox' },
    icloud:
      CLOUDKIT_CONTAINER && CLOUDKIT_API_TOKEN
        ? {
            apiUrl: 'https://api.apple-cloudkit.com',
            container: CLOUDKIT_CONTAINER,
            environment: env.CLOUDKIT_ENVIRONMENT || 'development',
            apiToken: CLOUDKIT_API_TOKEN,
            contentUrls: ['https://cvws.icloud-content.com'],
          }
        : {
            apiUrl: identity,
            container: 'iCloud.dev.keybay.sandbox',
            environment: 'development',
            apiToken: 'keybay-sandbox',
            contentUrls: [],
          },
  }
}

const placeholder: RecordKey = { kty: 'EC', crv: 'P-256', x: 'A'.repeat(43), y: 'A'.repeat(43) }

const localEnvironment = (env: NodeJS.ProcessEnv): (() => Promise<FrameConfiguration>) => {
  const port = (name: string, fallback: number) => integer(env, 'frame', name, fallback, [1, 65_535])
  const appPort = port('APP_PORT', 4000)
  const relays = sandboxRelays(env, [port('RELAY_PORT', 4300), port('RELAY2_PORT', 4301)])
  const parentOrigins =
    env.FRAME_PARENT_ORIGINS?.split(/[\s,]+/).filter(Boolean) ??
    ['app.localhost', 'localhost', '127.0.0.1'].map(host => `http://${host}:${appPort}`)
  const baseApiUrl = env.API_URL || `http://api.app.localhost:${port('API_PORT', 4100)}/api/v0`
  const backup = backupOf(env, port('IDENTITY_PORT', 4500))
  const check = (keys: readonly (readonly RecordKey[])[]) =>
    readConfiguration({
      environmentId: 'local',
      baseApiUrl,
      relays: relays.map(({ party, url }, index) => ({ party, url, recordKeys: keys[index] })),
      parentOrigins,
      backup,
    })
  // What a person may have set wrong is said at the start, and not when a page is asked for.
  check(relays.map(() => [placeholder]))
  return async () => check(await Promise.all(relays.map(relay => relay.recordKeys())))
}
