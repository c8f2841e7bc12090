/** Runs the API and its inbox in a worker, because the test's page replaces URL and `fetch`. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'
import { startApi } from '@keybay/sandbox-api'
import { startInbox } from '@keybay/sandbox-inbox'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

/** The host's issuer of tokens. */
const issuer = 'https://host.example'
const audience = 'acme'
const issuerKey = await generateKeyPair('ES256')
const jwk = { ...(await exportJWK(issuerKey.publicKey)), kid: 'host', alg: 'ES256' }
const keys = createServer((_, response) => response.end(JSON.stringify({ keys: [jwk] })))
await once(keys.listen(0, '127.0.0.1'), 'listening')
const jwksUrl = `http://127.0.0.1:${Object(keys.address()).port}/jwks`

/** @type {{ environments: Record<string, object> }} */
const { environments } = workerData
for (const settings of Object.values(environments))
  Object.assign(settings, { signIn: { external: true }, externalJwt: { issuer, audience, jwksUrl } })

const inbox = await startInbox()
const api = await startApi({
  mode: 'sandbox',
  smtpUrl: inbox.smtpUrl,
  smsUrl: `http://127.0.0.1:${inbox.port}/sms`,
  limitFactor: 100,
  ...workerData,
  environments,
})

const calls = {
  /** Returns the texts of the messages to an address, newest first. */
  async texts(/** @type {string} */ to) {
    const query = new URLSearchParams({ to })
    const response = await fetch(`http://127.0.0.1:${inbox.port}/api/messages?${query}`)
    const { messages } = await response.json()
    return messages.map((/** @type {{ text: string }} */ { text }) => text)
  },
  advance: (/** @type {number} */ ms) => api.clock.advance(ms),
  externalToken(/** @type {string} */ subject) {
    const now = Math.floor(api.clock.now() / 1000)
    const claims = { iss: issuer, aud: audience, sub: subject, jti: crypto.randomUUID(), iat: now, exp: now + 300 }
    return new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'host' }).sign(issuerKey.privateKey)
  },
  async stop() {
    keys.close()
    await api.stop()
    await inbox.stop()
  },
}

/**
 * Runs a request of the page, by name.
 * @param {{ name: 'texts' | 'externalToken', args: [string] } | { name: 'advance', args: [ms: number] } | { name: 'stop' }} request
 */
function run(request) {
  if (request.name === 'texts') return calls.texts(request.args[0])
  if (request.name === 'externalToken') return calls.externalToken(request.args[0])
  return request.name === 'advance' ? calls.advance(request.args[0]) : calls.stop()
}

parentPort?.on('message', async ({ id, ...asked }) => {
  try {
    parentPort?.postMessage({ id, value: await run(asked) })
  } catch (error) {
    parentPort?.postMessage({ id, error: String(error) })
  }
})
parentPort?.postMessage({ ready: api.internalUrl })
