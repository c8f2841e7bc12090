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
const routes = []
const custody = await startCustody({
  mode: 'sandbox',
  origins: [origin],
  smtpUrl: inbox.smtpUrl,
  log: ({ route }) => routes.push(String(route)),
  ...(patience !== undefined && { patience }),
})
const { organizationId, operatorKey, internalUrl } = custody
const api = await startApi({
  mode: 'sandbox',
  environments: { local: { name: 'Acme', allowedOrigins: [origin], custody: { enabled: true }, ...environment } },
  smtpUrl: inbox.smtpUrl,
  smsUrl: `http://127.0.0.1:${inbox.port}/sms`,
  limitFactor: 100,
  custody: { baseUrl: internalUrl, operator: () => operatorKey && { organizationId, ...operatorKey } },
})
/** @type {Readonly<Record<string, (...args: string[]) => unknown>>} */
const calls = {
  async newest(to, subject) {
    const query = new URLSearchParams({ to, subject, wait: '20000' })
    const response = await fetch(`http://127.0.0.1:${inbox.port}/api/messages/latest?${query}`)
    if (!response.ok) throw new Error(`Nothing arrived for ${to}: ${subject}`)
    return (await response.json()).text
  },
  advance(ms) {
    custody.clock.advance(Number(ms))
    api.clock.advance(Number(ms))
  },
  takeRequests: () => routes.splice(0),
  async stop() {
    await api.stop()
    await custody.stop()
    await inbox.stop()
  },
}

parentPort?.on('message', async ({ name, args }) => {
  try {
    parentPort?.postMessage({ value: await calls[name]?.(...args) })
  } catch (error) {
    parentPort?.postMessage({ error: String(error) })
  }
})
parentPort?.postMessage({ api: api.internalUrl, custody: internalUrl, signerPublicKey: custody.signerPublicKey })
