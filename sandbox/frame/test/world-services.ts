/** Starts the services of an embedded wallet: inbox, API, both relays, chain, drives, the frame's host and a page of a host app. */
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Api, askLocalRelay, startApi } from '@keybay/sandbox-api'
import { type Chain, startChain } from '@keybay/sandbox-chain'
import { type FrameHost, fixed, startFrame } from '@keybay/sandbox-frame'
import { TEST_CLIENT } from '@keybay/sandbox-frame/sandbox'
import { type Identity, startIdentity } from '@keybay/sandbox-identity'
import { type Inbox, startInbox } from '@keybay/sandbox-inbox'
import { type Relay, startRelay } from '@keybay/sandbox-relay'
import { freePort } from '@keybay/sandbox-service/free-port'
import type { DelegateListing } from '@keybay/waas/delegate'
import { makeApiToken } from './api-token.js'
import { bundle, listenHere } from './embedder.js'

export interface ServiceOptions {
  /** Starts Google's and Apple's drives for backups. */
  readonly drives?: boolean
  /** Servers that the operator lists. */
  readonly delegates?: readonly DelegateListing[]
  /** Serves the production page, whose backups other programs can open. */
  readonly production?: boolean
}
export interface WorldServices {
  readonly api: Api
  readonly chain: Chain
  readonly inbox: Inbox
  readonly frame: FrameHost
  readonly identity: Identity | undefined
  readonly relays: readonly [Relay, Relay]
  /** Origins of the host app, one for each site. */
  readonly origins: readonly string[]
  /** Starts R1 at its address, with its data. */
  restartRelay(): Promise<void>
  /** Stops both relays and the API, and deletes the data of the relays. */
  loseOperator(): Promise<void>
  stop(): Promise<void>
}

export const SITES: readonly string[] = ['app', 'other']
const HOST_PAGE = '<!doctype html><title>host</title><body><script type="module" src="/page.js"></script>'

async function serveHostPage() {
  const script = await bundle('./host.ts')
  const { server, port } = await listenHere(
    createServer((request, response) => {
      const isScript = request.url === '/page.js'
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
      response.end(isScript ? script : HOST_PAGE)
    }),
  )
  return { server, origins: SITES.map(name => `http://${name}.localhost:${port}`) }
}

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

interface RelayPlace {
  readonly api: Api
  readonly chain: Chain
  readonly folder: string
  readonly ports: readonly number[]
  readonly hostOrigins: readonly string[]
  readonly frameOrigins: readonly string[]
  readonly delegates: readonly DelegateListing[]
}

function startParty(party: 1 | 2, place: RelayPlace): Promise<Relay> {
  const { api, chain, folder, ports, hostOrigins, frameOrigins, delegates } = place
  return startRelay({
    party,
    port: ports[party - 1] ?? 0,
    dataDir: join(folder, `relay-${party}`),
    environments: {
      local: {
        apiUrl: api.internalUrl,
        issuer: `${api.url}/sdk/local`,
        hostOrigins: [...hostOrigins],
        frameOrigins: [...frameOrigins],
        rpcUrl: chain.url.replace('localhost', '127.0.0.1'),
        delegates: [...delegates],
      },
    },
    peerUrl: `http://127.0.0.1:${ports[2 - party]}/api/v0`,
    apiToken: async () => makeApiToken(api),
    limitFactor: 100,
    log: line => {
      if (line.level === 'error') console.error(line)
    },
  })
}

export async function startServices(options: ServiceOptions): Promise<WorldServices> {
  const { drives = false, delegates = [], production = false } = options
  const folder = await mkdtemp(join(tmpdir(), 'keybay-frame-'))
  const { server, origins } = await serveHostPage()
  // The relays need the frame's origin before the frame's host can read their keys.
  const framePort = await freePort()
  const frameUrl = `http://wallet.localhost:${framePort}`
  const inbox = await startInbox()
  const chain = await startChain({ port: 0, dataDir: join(folder, 'chain') })
  const ports = [await freePort(), await freePort()]
  const frameOrigins = [frameUrl]
  const api = await startApi({
    environments: {
      local: { name: 'Acme', allowedOrigins: [...origins], frameOrigins, embeddedWallets: { enabled: true } },
    },
    smtpUrl: inbox.smtpUrl,
    smsUrl: `http://127.0.0.1:${inbox.port}/sms`,
    recordKeys: askLocalRelay(`http://127.0.0.1:${ports[0]}/api/v0`),
    limitFactor: 100,
  })
  const place = { api, chain, folder, ports, hostOrigins: origins, frameOrigins, delegates }
  const relays: [Relay, Relay] = [await startParty(1, place), await startParty(2, place)]
  const identity = drives ? await startIdentity({ cloudKitCallback: `${frameUrl}/waas-v1/local/granted` }) : undefined
  const configuration = {
    environmentId: 'local',
    baseApiUrl: api.url,
    relays: [await readParty(relays[0], 'R1'), await readParty(relays[1], 'R2')],
    parentOrigins: origins,
    backup: identity && driveConfiguration(identity.url),
  }
  const client = production ? {} : { clientFolder: TEST_CLIENT }
  const frame = await startFrame({ port: framePort, environments: fixed([configuration]), ...client })
  let operator: readonly { stop(): Promise<unknown> }[] = [...relays, api]
  return {
    api,
    chain,
    inbox,
    frame,
    identity,
    relays,
    origins,
    async restartRelay() {
      relays[0] = await startParty(1, place)
      operator = [...relays, api]
    },
    async loseOperator() {
      for (const service of operator) await service.stop()
      operator = []
      for (const party of [1, 2]) await rm(join(folder, `relay-${party}`), { recursive: true, force: true })
    },
    async stop() {
      for (const service of [frame, ...operator, chain, inbox, identity]) await service?.stop()
      server.closeAllConnections()
      server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
