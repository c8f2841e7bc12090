/** Reads the configured environments: from a file, or for the sandbox of this machine. */
import { Variables } from '@keybay/sandbox-service'
import { type FrameConfiguration, readConfiguration } from '../configuration/frame.js'
import { assertLegible } from './legible.js'
import { type RelayKeys, sandboxRelays } from './sandbox-relays.js'

/** Environment ID → its configuration. Read for each page, because the sandbox's relays make keys as they start. */
export type Environments = Readonly<Record<string, () => Promise<FrameConfiguration>>>

function readVariables(env: NodeJS.ProcessEnv): Variables {
  return new Variables(env, 'frame')
}

/** @throws TypeError that names the wrong field */
export function fixed(configurations: readonly unknown[]): Environments {
  return Object.fromEntries(
    configurations
      .map(configuration => {
        // Skip the settings of the export window, which `exports.ts` reads.
        const { custody: _, ...frame } = Object(configuration)
        const read = readConfiguration(frame)
        assertLegible(read.theme ?? {})
        return read
      })
      .map(configuration => [configuration.environmentId, async () => configuration]),
  )
}

/**
 * Reads the environments from the environment variables; the README lists them.
 * @param standIns drives of the sandbox; default: none
 * @throws Error that names a variable with a wrong value
 */
export function readEnvironments(env: NodeJS.ProcessEnv, standIns?: StandInDrives): Environments {
  return readFile(env) ?? { local: localEnvironment(env, standIns) }
}

function readFile(env: NodeJS.ProcessEnv): Environments | undefined {
  return readVariables(env).file('FRAME_ENVIRONMENTS_FILE', text => {
    const all: unknown = JSON.parse(text)
    if (!Array.isArray(all) || all.length === 0) throw new TypeError('it is not a list of configurations')
    const environments = fixed(all)
    const { FRAME_PUBLIC_URL: url = '' } = env
    const frameOrigin = URL.canParse(url) ? new URL(url).origin : undefined
    const index = all.findIndex(({ parentOrigins }) => parentOrigins.includes(frameOrigin))
    if (index !== -1)
      throw new TypeError(
        `[${index}].parentOrigins has the frame's own origin, where the page could read every key. Give the frame an origin of its own.`,
      )
    return environments
  })
}

/** Drives for environments without real ones. `stand-ins.ts` has those of the sandbox. */
export interface StandInDrives {
  readonly googleDrive: object
  readonly icloud: object
}

/**
 * Returns the drives: real ones with `SOCIAL_GOOGLE_CLIENT_ID` and so on, else those of the sandbox. Without drives, a
 * file and the product API remain.
 */
function getBackup(env: NodeJS.ProcessEnv, standIns: StandInDrives | undefined) {
  if (env.IDENTITY_URL === 'off') return undefined
  const { SOCIAL_GOOGLE_CLIENT_ID, CLOUDKIT_CONTAINER, CLOUDKIT_API_TOKEN } = env
  if (!CLOUDKIT_CONTAINER !== !CLOUDKIT_API_TOKEN)
    throw readVariables(env).error(
      CLOUDKIT_CONTAINER ? 'CLOUDKIT_CONTAINER' : 'CLOUDKIT_API_TOKEN',
      ' is alone: set CLOUDKIT_CONTAINER and CLOUDKIT_API_TOKEN, or neither',
    )
  // Reuse the client ID of Google sign-in: Google already knows the app, and asks the user only about the new scope.
  const googleDrive = SOCIAL_GOOGLE_CLIENT_ID
    ? {
        apiUrl: 'https://www.googleapis.com',
        authorizeUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
        clientId: SOCIAL_GOOGLE_CLIENT_ID,
      }
    : standIns?.googleDrive
  const icloud =
    CLOUDKIT_CONTAINER && CLOUDKIT_API_TOKEN
      ? {
          apiUrl: 'https://api.apple-cloudkit.com',
          container: CLOUDKIT_CONTAINER,
          environment: env.CLOUDKIT_ENVIRONMENT || 'development',
          apiToken: CLOUDKIT_API_TOKEN,
          contentUrls: ['https://cvws.icloud-content.com'],
        }
      : standIns?.icloud
  return googleDrive || icloud ? { ...(googleDrive && { googleDrive }), ...(icloud && { icloud }) } : undefined
}

const key = 'A'.repeat(43)
const placeholder: RelayKeys = { recordKeys: [{ kty: 'EC', crv: 'P-256', x: key, y: key }], sealingKey: key }

/** Returns the origins that may embed the pages of `local`. */
export function localParentOrigins(env: NodeJS.ProcessEnv): readonly string[] {
  const variables = readVariables(env)
  return variables.origins('FRAME_PARENT_ORIGINS') ?? variables.pageOrigins()
}

/** Returns the name of the sandbox's own app by its origins. The names of other apps in `local` are not known. */
export function localAppNames(env: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  const parents = localParentOrigins(env)
  const appOrigins = readVariables({ ...env, APP_ORIGINS: '' })
    .pageOrigins()
    .filter(origin => parents.includes(origin))
  return Object.fromEntries(appOrigins.map(origin => [origin, 'Keybay sandbox']))
}

/** Returns the product API of `local`, as browsers reach it. */
export function localApiUrl(env: NodeJS.ProcessEnv): string {
  return env.API_URL || `http://api.app.localhost:${readVariables(env).port('API_PORT', 4100)}/api/v0`
}

/** Returns the node of `local`, as browsers reach it. */
export function localRpcUrl(env: NodeJS.ProcessEnv): string | undefined {
  if (env.CHAIN_URL === 'off') return undefined
  return env.CHAIN_URL || `http://localhost:${readVariables(env).port('CHAIN_PORT', 8899)}`
}

function localEnvironment(env: NodeJS.ProcessEnv, standIns: StandInDrives | undefined) {
  const variables = readVariables(env)
  const relays = sandboxRelays(env, [variables.port('RELAY_PORT', 4300), variables.port('RELAY2_PORT', 4301)])
  const parentOrigins = localParentOrigins(env)
  const apiPort = variables.port('API_PORT', 4100)
  const baseApiUrl = localApiUrl(env)
  // The API of this machine also responds at its short host name.
  const apiAliases = env.API_URL ? undefined : [`http://localhost:${apiPort}/api/v0`]
  const backup = getBackup(env, standIns)
  const rpcUrl = localRpcUrl(env)
  const check = (keys: readonly RelayKeys[]) =>
    readConfiguration({
      environmentId: 'local',
      baseApiUrl,
      apiAliases,
      relays: relays.map(({ party, url }, index) => ({ party, url, ...keys[index] })),
      rpcUrl,
      parentOrigins,
      appNames: localAppNames(env),
      backup,
    })
  // Validate now, so that wrong settings fail at startup instead of at the first page request.
  check(relays.map(() => placeholder))
  return async () => check(await Promise.all(relays.map(relay => relay.keys())))
}
