/**
 * Measured process, `api` or `bare`: a product API as `npm start` runs it, or Hono and its Node server alone, which
 * answer
 * the same addresses with constants. Reports its port, and its CPU time on request.
 */
import { createAdaptorServer } from '@hono/node-server'
import { startApi } from '@keybay/sandbox-api'
import { Hono } from 'hono'

const [role, dataDir, smsUrl] = process.argv.slice(2)

async function startProductApi() {
  const { port, stop } = await startApi({
    environments: { local: { allowedOrigins: ['http://app.localhost'] } },
    dataDir: dataDir ?? '',
    smtpUrl: 'smtp://127.0.0.1:1',
    smsUrl: smsUrl ?? '',
    // All clients share one network, so the default limits would be all that is measured.
    limitFactor: 1_000_000,
    log: line => process.stdout.write(`${JSON.stringify({ time: new Date().toISOString(), ...line })}\n`),
  })
  return { port, stop }
}

/** Same length as the product API's response. */
const TOKENS = { accessToken: 'a'.repeat(680), refreshToken: 'r'.repeat(82), sessionId: 's'.repeat(36), expiresAt: 1 }
const USER = {
  id: 'u'.repeat(36),
  metadata: {},
  credentials: ['c'.repeat(150)],
  mfa: { devices: [], recoveryCodes: 0 },
}

/** @returns {Promise<{ port: number, stop: () => Promise<void> }>} */
function startBare() {
  const app = new Hono()
  app.post('/api/v0/sdk/:environmentId/auth/phone', c => c.json({ verificationId: 'v'.repeat(36), expiresAt: 1 }, 202))
  app.post('/api/v0/sdk/:environmentId/auth/phone/verify', c =>
    c.json({ status: 'authenticated', isNewUser: false, user: USER, ...TOKENS }),
  )
  app.post('/api/v0/sdk/:environmentId/auth/refresh', c => c.json(TOKENS))
  const server = createAdaptorServer({ fetch: app.fetch, hostname: '127.0.0.1' })
  return new Promise(resolve => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve({
        port: typeof address === 'object' && address ? address.port : 0,
        stop: () => new Promise(stopped => server.close(() => stopped())),
      })
    })
  })
}

const { port, stop } = await (role === 'api' ? startProductApi() : startBare())
process.on('message', () => process.send?.(process.cpuUsage()))
process.once('SIGTERM', () => stop().then(() => process.exit(0)))
process.once('disconnect', () => process.exit(0))
process.send?.({ port })
