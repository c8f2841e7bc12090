/**
 * The operator's command for one user: `npm run user -w sandbox/api -- block <environment> <user id>`; also `unblock`,
 * `export` (writes the document to standard output) and `erase`. It calls the running API with the operator's token.
 */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runCommand } from '@keybay/sandbox-service'
import { readCommandEnv } from '@keybay/sandbox-service/settings'
import { optionsFromEnv } from './config.js'
import { loadKeys } from './security/keys.js'
import { SETTINGS } from './settings.js'

const ACTIONS = ['block', 'unblock', 'export', 'erase']
const TIMEOUT_MS = 60_000

/** @throws Error that says what is wrong */
async function main(): Promise<string> {
  const [action = '', environmentId, userId] = process.argv.slice(2)
  if (!ACTIONS.includes(action) || !environmentId || !userId)
    throw new Error(`Name an action (${ACTIONS.join(', ')}), an environment and a user id.`)
  const { keys: json, dataDir, port, host = '127.0.0.1' } = optionsFromEnv(readCommandEnv('api', SETTINGS))
  const keys = loadKeys({ json, file: dataDir && join(dataDir, 'keys.json') })
  const path = `/sdk/${encodeURIComponent(environmentId)}/users/${encodeURIComponent(userId)}/${action}`
  const response = await fetch(`http://${host}:${port}/api/v0${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keys.getOperatorToken(environmentId)}` },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`The API answered ${response.status}: ${text}`)
  return text
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await runCommand('api', main)
