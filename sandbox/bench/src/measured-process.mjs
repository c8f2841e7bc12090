/**
 * A measured process: `api` and `custody` are the services as `npm start` runs them; `bare` is Hono and its Node server
 * alone, which answer the API's addresses with constants. Reports when it is ready, and its CPU time on request.
 */
import { createAdaptorServer } from '@hono/node-server'
import { jsonLog } from '@keybay/sandbox-service'
import { Hono } from 'hono'
import { listen } from './measured.mjs'

const [role, dataDir = '', first = '', patience] = process.argv.slice(2)
/** PostgreSQL's address; absent: PGlite in the folder. */
const { BENCH_DATABASE_URL: databaseUrl } = process.env

const write = jsonLog()
let requests = 0
/** @type {import('@keybay/sandbox-service').Log} */
function log(line) {
  requests += 1
  write(line)
}

async function startProductApi() {
  const { startApi } = await import('@keybay/sandbox-api')
  const { port, stop } = await startApi({
    mode: 'sandbox',
    environments: {
      local: {
        allowedOrigins: ['http://app.localhost'],
        sms: { mostPerDay: 1_000_000, mostPerCountryAndDay: 1_000_000 },
      },
    },
    dataDir,
    databaseUrl,
    smtpUrl: 'smtp://127.0.0.1:1',
    smsUrl: first,
    // All clients share one network, so the default limits would be all that is measured.
    limitFactor: 1_000_000,
    log,
  })
  return { ready: { port }, stop }
}

async function startCustodyService() {
  const { startCustody } = await import('@keybay/sandbox-custody')
  const { internalUrl, organizationId, operatorKey, stop } = await startCustody({
    mode: 'sandbox',
    dataDir,
    databaseUrl,
    origins: [first],
    smtpUrl: 'smtp://127.0.0.1:1',
    limitFactor: 1_000_000,
    log,
    ...(patience && { patience: Number(patience) }),
  })
  return { ready: { url: internalUrl, operator: { organizationId, ...operatorKey } }, stop }
}

/** Same length as the product API's response. */
const TOKENS = { accessToken: 'a'.repeat(680), refreshToken: 'r'.repeat(82), sessionId: 's'.repeat(36), expiresAt: 1 }
const USER = {
  id: 'u'.repeat(36),
  metadata: {},
  credentials: ['c'.repeat(150)],
  mfa: { devices: [], recoveryCodes: 0 },
}

async function startBare() {
  const app = new Hono()
  app.post('/api/v0/sdk/:environmentId/auth/phone', c => c.json({ verificationId: 'v'.repeat(36), expiresAt: 1 }, 202))
  app.post('/api/v0/sdk/:environmentId/auth/phone/verify', c =>
    c.json({ status: 'authenticated', isNewUser: false, user: USER, ...TOKENS }),
  )
  app.post('/api/v0/sdk/:environmentId/auth/refresh', c => c.json(TOKENS))
  app.get('/api/v0/sdk/:environmentId/users/me', c => c.json(USER))
  const server = createAdaptorServer({ fetch: app.fetch, hostname: '127.0.0.1' })
  const port = await listen(server)
  return { ready: { port }, stop: () => new Promise(resolve => server.close(resolve)) }
}

const starts = { api: startProductApi, bare: startBare, custody: startCustodyService }
const { ready, stop } = await starts[/** @type {keyof typeof starts} */ (role)]()
process.on('message', () => process.send?.({ ...process.cpuUsage(), requests }))
process.once('SIGTERM', () => stop().then(() => process.exit(0)))
process.once('disconnect', () => process.exit(0))
process.send?.(ready)
