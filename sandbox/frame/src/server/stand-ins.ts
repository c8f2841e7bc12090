/**
 * The sandbox's Google Drive and iCloud, for `npm start` and tests alone: everybody can read what is kept there, and the client and
 * the token are published in this repository. Nothing that an operator runs may import this file; a test walks all imports.
 */
import { fileURLToPath } from 'node:url'
import { integer } from '@keybay/sandbox-service'
import { type Environments, readEnvironments, type StandInDrives } from './environments.js'

/** The page built for tests: a key of a password costs next to nothing in it. */
export const TEST_CLIENT: string = fileURLToPath(new URL('../test-client/', import.meta.url))

function standInDrives(env: NodeJS.ProcessEnv): StandInDrives | undefined {
  if (env.IDENTITY_URL === 'off') return undefined
  const port = integer(env, 'frame', 'IDENTITY_PORT', 4500, [1, 65_535])
  const url = (env.IDENTITY_URL || `http://identity.localhost:${port}`).replace(/\/$/, '')
  return {
    googleDrive: { apiUrl: url, authorizeUrl: `${url}/google/o/oauth2/v2/auth`, clientId: 'keybay-google' },
    icloud: {
      apiUrl: url,
      container: 'iCloud.dev.keybay.sandbox',
      environment: 'development',
      apiToken: 'keybay-sandbox',
      contentUrls: [],
    },
  }
}

/**
 * The same as `readEnvironments`, with the sandbox's drives where there are no real ones.
 *
 * @throws Error that names a variable with a wrong value
 */
export function readSandboxEnvironments(env: NodeJS.ProcessEnv): Environments {
  return readEnvironments(env, standInDrives(env))
}
