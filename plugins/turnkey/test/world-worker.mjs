/**
 * Runs the custody service, the API that operates it, and their inbox outside the test's page, which has other URLs and another
 * `fetch`.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { startApi } from '@keybay/sandbox-api'
import { startCustody } from '@keybay/sandbox-custody'
import { startInbox } from '@keybay/sandbox-inbox'

const { origin, patience, environment } = workerData
const inbox = await startInbox()
/** @type {string[]} */
let routes = []
const custody = await startCustody({
  origins: [origin],
  smtpUrl: inbox.smtpUrl,
  log: ({ route }) => routes.push(String(route)),
  ...(patience !== undefined && { patience }),
})
const { organizationId, operatorKey, internalUrl } = custody
const api = await startApi({
  environments: { local: { name: 'Acme', allowedOrigins: [origin], custody: { enabled: true }, ...environment } },
  smtpUrl: inbox.smtpUrl,
  smsUrl: `http://127.0.0.1:${inbox.port}/sms`,
  limitFactor: 100,
  custody: { baseUrl: internalUrl, operator: () => operatorKey && { organizationId, ...operatorKey } },
})

const calls = {
  /** Returns the newest message, or the next one after `after`. */
  async latest(/** @type {string} */ to, after = '') {
    const query = new URLSearchParams({ to, wait: '20000', ...(after && { after }) })
    const response = await fetch(`http://127.0.0.1:${inbox.port}/api/messages/latest?${query}`)
    if (!response.ok) throw new Error(`Nothing arrived for ${to}`)
    return response.json()
  },
  advance(/** @type {number} */ ms) {
    custody.clock.advance(ms)
    api.clock.advance(ms)
  },
  /** Returns the custody requests since the last call. */
  asked() {
    const before = routes
    routes = []
    return before
  },
  async stop() {
    await api.stop()
    await custody.stop()
    await inbox.stop()
  },
}

/**
 * @param {{ name: 'latest', args: [to: string, after?: string] } | { name: 'advance', args: [ms: number] } | { name: 'asked' |
 * 'stop' }} call
 */
function answer(call) {
  if (call.name === 'latest') return calls.latest(...call.args)
  if (call.name === 'advance') return calls.advance(...call.args)
  return calls[call.name]()
}

parentPort?.on('message', async ({ id, ...call }) => {
  try {
    parentPort?.postMessage({ id, value: await answer(call) })
  } catch (error) {
    parentPort?.postMessage({ id, error: String(error) })
  }
})
parentPort?.postMessage({ api: api.internalUrl, custody: internalUrl, signerPublicKey: custody.signerPublicKey })
