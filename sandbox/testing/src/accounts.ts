/** Starts the product API, and the inbox for its mail and SMS. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EnvironmentSettings } from '@keybay/sandbox-api'
import type { Identity } from '@keybay/sandbox-identity'
import { type Inbox, startInbox } from '@keybay/sandbox-inbox'
import { freePort } from '@keybay/sandbox-service/free-port'
import { type ApiProcess, startApiProcess } from './api-process.js'

export interface Accounts {
  /** Folder of the API's data. */
  readonly dataDir: string
  readonly api: ApiProcess
  readonly inbox: Inbox
  /** Waits for the newest message to an address, and returns its text. Returns each message once. */
  message(to: string): Promise<string>
  /** Waits for the newest code sent to an address or a number, and returns it. Returns each code once. */
  code(to: string): Promise<string>
  stop(): Promise<void>
}
export interface AccountsOptions {
  /** Settings of the environment; by default those of `npm start`. */
  readonly environment?: Omit<EnvironmentSettings, 'allowedOrigins'>
}

const MESSAGE_TIMEOUT_MS = 10_000

export async function startAccounts(
  {
    app,
    frame,
    custody,
    relay,
    chain,
    identity,
  }: {
    readonly app: number
    readonly frame: number
    readonly custody: number
    /** Port of R1, from which the API requests R1's record keys. */
    readonly relay: number
    /** URL of the chain on which the API simulates transactions. */
    readonly chain: string
    /** Social providers; without it the API has none. */
    readonly identity: Pick<Identity, 'url' | 'internalUrl'> | undefined
  },
  { environment }: AccountsOptions,
): Promise<Accounts> {
  const dataDir = await mkdtemp(join(tmpdir(), 'keybay-e2e-api-'))
  const inbox = await startInbox()
  const env: Record<string, string> = {
    KEYBAY_DATA_DIR: dataDir,
    APP_PORT: String(app),
    FRAME_PORT: String(frame),
    CUSTODY_PORT: String(custody),
    RELAY_PORT: String(relay),
    CHAIN_URL: chain,
    INBOX_PORT: String(inbox.port),
    INBOX_SMTP_PORT: String(inbox.smtpPort),
    IDENTITY_URL: identity?.url ?? 'off',
    ...(identity && { IDENTITY_INTERNAL_URL: identity.internalUrl }),
    // Every test signs in from the same address.
    API_LIMIT_FACTOR: '1000',
  }
  if (environment) {
    env.API_ENVIRONMENTS_FILE = join(dataDir, 'environments.json')
    const local = { ...environment, allowedOrigins: [`http://app.localhost:${app}`] }
    await writeFile(env.API_ENVIRONMENTS_FILE, JSON.stringify({ local }))
  }
  const api = await startApiProcess(await freePort(), env)
  const messages = `http://127.0.0.1:${inbox.port}/api/messages`
  const read = async (to: string): Promise<string> => {
    const response = await fetch(`${messages}/latest?to=${encodeURIComponent(to)}&wait=${MESSAGE_TIMEOUT_MS}`)
    if (!response.ok) throw new Error(`No message came to ${to}: ${await response.text()}`)
    const message: { readonly id: string; readonly text: string } = await response.json()
    // Delete the message, so that the next call waits for the next one.
    await fetch(`${messages}/${message.id}`, { method: 'DELETE' })
    return message.text
  }
  return {
    dataDir,
    api,
    inbox,
    message: read,
    async code(to) {
      const text = await read(to)
      const [code] = /\b\d{6}\b/.exec(text) ?? []
      if (!code) throw new Error(`There is no code in “${text}”`)
      return code
    },
    async stop() {
      await Promise.all([api.kill(), inbox.stop()])
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
