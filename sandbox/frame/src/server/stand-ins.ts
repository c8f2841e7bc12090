/**
 * Google Drive and iCloud of the sandbox, only for `npm start` and tests. Their content is public, and this repository
 * contains the client ID and the token. No code that an operator runs may import this file; a test checks all imports.
 */
import { fileURLToPath } from 'node:url'
import { Variables } from '@keybay/sandbox-service'
import { type Environments, readEnvironments, type StandInDrives } from './environments.js'

/** Folder of the page built for tests, where deriving a key from a password costs next to nothing. */
export const TEST_CLIENT: string = fileURLToPath(new URL('../test-client/', import.meta.url))

function standInDrives(env: NodeJS.ProcessEnv): StandInDrives | undefined {
  if (env.IDENTITY_URL === 'off') return undefined
  const port = new Variables(env, 'frame').port('IDENTITY_PORT', 4500)
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
 * Reads the environments like `readEnvironments`, with the sandbox's drives if there are no real ones.
 * @throws Error that names a variable with a wrong value
 */
export function readSandboxEnvironments(env: NodeJS.ProcessEnv): Environments {
  return readEnvironments(env, standInDrives(env))
}
