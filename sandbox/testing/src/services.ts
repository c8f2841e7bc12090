/** Starts the sandbox's services as processes, which a test may kill and start, and the wallet frame's host. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { EnvironmentSettings } from '@keybay/sandbox-api'
import { newDatabase as newApiDatabase } from '@keybay/sandbox-api/testing/database'
import { newDatabase as newCustodyDatabase } from '@keybay/sandbox-custody/testing/database'
import { type FrameOptions, readExports, startFrame } from '@keybay/sandbox-frame'
import { readSandboxEnvironments, TEST_CLIENT } from '@keybay/sandbox-frame/sandbox'
import { type Inbox, startInbox } from '@keybay/sandbox-inbox'
import { newDatabase as newRelayDatabase } from '@keybay/sandbox-relay/testing/database'

type Environment = Readonly<Record<string, string>>

/** The variable that puts a service on this database; without one it uses PGlite. */
function on(variable: string, databaseUrl: string | undefined): Environment {
  return databaseUrl === undefined ? {} : { [variable]: databaseUrl }
}

/** An interrupted run leaves no process behind. */
const ENDS_WITH_US = ['--import', import.meta.resolve('@keybay/sandbox-tools/orphan-guard')]

/**
 * @param program a package, and the file of its program next to its exports
 * @param port port that `env` makes it listen on
 * @param env variables that the README of the service lists
 */
async function startProcess(program: readonly [name: string, file: string], port: number, env: Environment) {
  const main = createRequire(import.meta.url)
    .resolve(`@keybay/sandbox-${program[0]}`)
    .replace(/index\.js$/, program[1])
  let child: ChildProcess | undefined
  let isMoved = false
  const clock = async (method: 'POST' | 'DELETE', body?: string) => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(`http://127.0.0.1:${port}/admin/clock`, { method, headers, body: body ?? null })
    if (!response.ok) throw new Error(await response.text())
    isMoved = method === 'POST'
  }
  const service = {
    port,
    /** Starts the service again at the same address, with its stored data. */
    async start() {
      child = fork(main, ['--sandbox'], {
        env: { ...env },
        execArgv: ENDS_WITH_US,
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      })
      const ended = once(child, 'exit').then(() => {
        throw new Error(`${main} ended before it was ready.`)
      })
      await Promise.race([once(child, 'message'), ended])
    },
    /** Kills the process at once, as when the machine goes down. */
    async kill() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
    /** Moves the service's clock by this number of ms, until the test ends. */
    advanceClock: (ms: number) => clock('POST', JSON.stringify({ advance: ms })),
    async resetClock() {
      if (isMoved) await clock('DELETE')
    },
  }
  await service.start()
  return service
}

export interface AccountsOptions {
  /** Settings of the environment; by default those of `npm start`. */
  readonly environment?: Omit<EnvironmentSettings, 'allowedOrigins'>
}
const MESSAGE_TIMEOUT_MS = 10_000

/** Starts the product API, and the inbox for its mail and SMS. Adds the inbox's ports to `env`. */
export async function startAccounts(env: Record<string, string>, { environment }: AccountsOptions) {
  const inbox: Inbox = await startInbox()
  env.INBOX_PORT = String(inbox.port)
  env.INBOX_SMTP_PORT = String(inbox.smtpPort)
  if (environment) {
    env.API_ENVIRONMENTS_FILE = join(env.KEYBAY_DATA_DIR ?? '', 'environments.json')
    const frameOrigins = [`http://wallet.localhost:${env.FRAME_PORT}`]
    const local = { frameOrigins, ...environment, allowedOrigins: [`http://app.localhost:${env.APP_PORT}`] }
    await writeFile(env.API_ENVIRONMENTS_FILE, JSON.stringify({ local }))
  }
  const port = Number(env.API_PORT)
  // The keys of an API's approver of custody are beside its database, which no other instance may then share.
  const database = environment?.custody ? {} : on('DATABASE_URL', await newApiDatabase())
  const api = await startProcess(['api', 'sandbox.js'], port, { ...env, ...database })
  const messages = `http://127.0.0.1:${inbox.port}/api/messages`
  /** Waits for the newest message to an address, with this subject, and returns its text. Returns each message once. */
  const message = async (to: string, subject?: string): Promise<string> => {
    const query = new URLSearchParams({ to, wait: String(MESSAGE_TIMEOUT_MS), ...(subject && { subject }) })
    const response = await fetch(`${messages}/latest?${query}`)
    if (!response.ok) throw new Error(`No message came to ${to}: ${await response.text()}`)
    const { id, text }: { readonly id: string; readonly text: string } = await response.json()
    // Delete the message, so that the next call waits for the next one.
    await fetch(`${messages}/${id}`, { method: 'DELETE' })
    return text
  }
  return {
    api: { ...api, url: `http://api.app.localhost:${port}/api/v0` },
    inbox,
    message,
    /** Waits for the newest code sent to an address or a number, and returns it. Returns each code once; drops notices. */
    async code(to: string) {
      for (;;) {
        const [code] = /\b\d{6}\b/.exec(await message(to)) ?? []
        if (code) return code
      }
    },
    async stop() {
      await Promise.all([api.kill(), inbox.stop()])
    },
  }
}

/**
 * Starts the relays and the wallet frame.
 * @param place of the frame, by default FRAME_PORT, and its page, by default the one that derives keys at next to no cost
 */
export async function startWalletServices(
  env: Environment,
  place: Pick<FrameOptions, 'port' | 'publicUrl' | 'clientFolder'> = {
    port: Number(env.FRAME_PORT),
    clientFolder: TEST_CLIENT,
  },
) {
  const databases = {
    ...on('RELAY_DATABASE_URL', await newRelayDatabase()),
    ...on('RELAY2_DATABASE_URL', await newRelayDatabase()),
  }
  const [R1, R2] = await Promise.all([
    startProcess(['relay', 'main.js'], Number(env.RELAY_PORT), { ...env, ...databases }),
    startProcess(['relay', 'main-2.js'], Number(env.RELAY2_PORT), { ...env, ...databases }),
  ])
  const frame = await startFrame({
    ...place,
    mode: 'sandbox',
    environments: readSandboxEnvironments(env),
    log: line => process.stderr.write(`${line}\n`),
  })
  return {
    frame,
    relayUrl: `http://localhost:${env.RELAY_PORT}/api/v0`,
    relays: { R1, R2 },
    async stop() {
      await Promise.all([frame.stop(), R1.kill(), R2.kill()])
    },
  }
}

/** Starts key custody, and the window that opens its exports. */
export async function startCustodyServices(env: Environment) {
  const database = on('CUSTODY_DATABASE_URL', await newCustodyDatabase())
  const custody = await startProcess(['custody', 'main.js'], Number(env.CUSTODY_PORT), { ...env, ...database })
  const frame = await startFrame({
    mode: 'sandbox',
    port: Number(env.FRAME_PORT),
    environments: {},
    exports: readExports(env),
  })
  return {
    ...custody,
    url: `http://localhost:${env.CUSTODY_PORT}`,
    frame,
    async stop() {
      await Promise.all([frame.stop(), custody.kill()])
    },
  }
}
