/** Starts the services of an embedded wallet: inbox, API, both relays, chain, drives, the frame's host and a host page. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Api, askLocalRelay, startApi } from '@keybay/sandbox-api'
import { newDatabase as newApiDatabase } from '@keybay/sandbox-api/testing/database'
import { startChain } from '@keybay/sandbox-chain'
import { fixed, startFrame } from '@keybay/sandbox-frame'
import { TEST_CLIENT } from '@keybay/sandbox-frame/sandbox'
import { startIdentity } from '@keybay/sandbox-identity'
import { newDatabase as newIdentityDatabase } from '@keybay/sandbox-identity/testing/database'
import { startInbox } from '@keybay/sandbox-inbox'
import { type Relay, startRelay } from '@keybay/sandbox-relay'
import { newDatabase as newRelayDatabase } from '@keybay/sandbox-relay/testing/database'
import { freePort } from '@keybay/sandbox-tools/free-port'
import { createDelegateKeys, listingOf } from '@keybay/waas/delegate'
import { servePage } from './pages.js'

export interface ServiceOptions {
  /** Starts Google's and Apple's drives for backups. */
  readonly drives?: boolean
  /** Serves the production page, whose backups other programs can open. */
  readonly production?: boolean
  /** Databases of R1 and R2 on PostgreSQL, whose relays then trace. */
  readonly traced?: () => readonly string[]
}
export type WorldServices = Awaited<ReturnType<typeof startServices>>

export const SITES: readonly string[] = ['app', 'other']

/** A server that the operator lists, which may become a delegate of a wallet. */
export const LISTED_SERVER = listingOf('Salaries', await createDelegateKeys())

async function readParty({ url, internalUrl }: Relay, party: string): Promise<object> {
  const response = await fetch(`${internalUrl}/party`)
  const answer: { readonly recordKeys: readonly Record<string, unknown>[]; readonly sealingKey: string } =
    await response.json()
  const recordKeys = answer.recordKeys.map(({ kty, crv, x, y }) => ({ kty, crv, x, y }))
  return { party, url, recordKeys, sealingKey: answer.sealingKey }
}

function driveConfiguration(url: string) {
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

/** The options of a service on this database, or on PGlite. */
function on(databaseUrl: string | undefined) {
  return databaseUrl === undefined ? {} : { databaseUrl }
}

async function makeApiToken({ internalUrl, operatorToken }: Api): Promise<string> {
  const headers = { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' }
  const init = { method: 'POST', headers, body: JSON.stringify({ name: 'relay' }) }
  const { token }: { readonly token: string } = await (await fetch(`${internalUrl}/sdk/local/api-tokens`, init)).json()
  return token
}

export async function startServices({ drives = false, production = false, traced }: ServiceOptions) {
  const folder = await mkdtemp(join(tmpdir(), 'keybay-frame-'))
  const pages = await servePage('./host.ts')
  const origins = SITES.map(name => `http://${name}.localhost:${pages.port}`)
  // The relays need the frame's origin before the frame's host can read their keys.
  const framePort = await freePort()
  const frameUrl = `http://wallet.localhost:${framePort}`
  const frameOrigins = [frameUrl]
  const inbox = await startInbox()
  const chain = await startChain({ port: 0, dataDir: join(folder, 'chain') })
  const ports = [await freePort(), await freePort()]
  const api = await startApi({
    mode: 'sandbox',
    ...on(await newApiDatabase()),
    environments: {
      local: { name: 'Acme', allowedOrigins: origins, frameOrigins, embeddedWallets: { enabled: true } },
    },
    smtpUrl: inbox.smtpUrl,
    smsUrl: `http://127.0.0.1:${inbox.port}/sms`,
    recordKeys: askLocalRelay(`http://127.0.0.1:${ports[0]}/api/v0`),
    limitFactor: 100,
  })
  const token = await makeApiToken(api)
  const databases = traced?.() ?? [await newRelayDatabase(), await newRelayDatabase()]
  const startParty = (party: 1 | 2) =>
    startRelay({
      mode: 'sandbox',
      party,
      port: ports[party - 1] ?? 0,
      dataDir: join(folder, `relay-${party}`),
      ...on(databases[party - 1]),
      isTraced: traced !== undefined,
      environments: {
        local: {
          apiUrl: api.internalUrl,
          issuer: `${api.url}/sdk/local`,
          hostOrigins: origins,
          frameOrigins,
          rpcUrl: chain.url.replace('localhost', '127.0.0.1'),
          delegates: [LISTED_SERVER],
          rawMessages: true,
        },
      },
      peerUrl: `http://127.0.0.1:${ports[2 - party]}/api/v0`,
      apiToken: async () => token,
      limitFactor: 100,
      log: line => {
        if (line.level === 'error') console.error(line)
      },
    })
  const relays: [Relay, Relay] = [await startParty(1), await startParty(2)]
  const identity = drives
    ? await startIdentity({ ...on(await newIdentityDatabase()), cloudKitCallback: `${frameUrl}/waas-v1/local/granted` })
    : undefined
  const configuration = {
    environmentId: 'local',
    baseApiUrl: api.url,
    relays: [await readParty(relays[0], 'R1'), await readParty(relays[1], 'R2')],
    rpcUrl: chain.url,
    parentOrigins: origins,
    backup: identity && driveConfiguration(identity.url),
  }
  const client = production ? {} : { clientFolder: TEST_CLIENT }
  const frame = await startFrame({ mode: 'sandbox', port: framePort, environments: fixed([configuration]), ...client })
  let operator: readonly { stop(): Promise<unknown> }[] = [...relays, api]
  return {
    api,
    chain,
    codeFor: createMailReader(inbox.port),
    frame,
    identity,
    relays,
    origins,
    async restartRelay() {
      relays[0] = await startParty(1)
      operator = [...relays, api]
    },
    async loseOperator() {
      for (const service of operator) await service.stop()
      operator = []
      for (const party of [1, 2]) await rm(join(folder, `relay-${party}`), { recursive: true, force: true })
    },
    async stop() {
      for (const service of [frame, ...operator, chain, inbox, identity]) await service?.stop()
      pages.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

interface Mail {
  readonly id: string
  readonly text: string
}

/** @returns a function that reads the code in the next mail with one to an address; notices have none */
export function createMailReader(inboxPort: number): (address: string) => Promise<string> {
  const url = `http://127.0.0.1:${inboxPort}/api/messages`
  /** Address → ID of the last mail that was read: a second sign-in of the same address waits for its own mail. */
  const lastMail = new Map<string, string>()
  return async to => {
    for (;;) {
      const response = await fetch(`${url}?${new URLSearchParams({ to })}`)
      const { messages }: { readonly messages: readonly Mail[] } = await response.json()
      const known = messages.findIndex(({ id }) => id === lastMail.get(to))
      const fresh = known < 0 ? messages : messages.slice(0, known)
      for (const { id, text } of fresh) {
        const [, code] = /\b(\d{6})\b/.exec(text) ?? []
        if (code === undefined) continue
        lastMail.set(to, id)
        return code
      }
      const query = new URLSearchParams({ to, wait: '30000', after: messages[0]?.id ?? '' })
      if (!(await fetch(`${url}/latest?${query}`)).ok) throw new Error(`No code for ${to} came within 30 s`)
    }
  }
}
