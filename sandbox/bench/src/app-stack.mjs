/** Starts the app with the services that its first page asks: the chain and the product API. */
import { startApi } from '@keybay/sandbox-api'
import { startApp } from '@keybay/sandbox-app'
import { startChain } from '@keybay/sandbox-chain'
import { freePort } from '@keybay/sandbox-tools/free-port'
import { temporaryFolder } from './measured.mjs'

/**
 * @param {(end: () => unknown) => void} onEnd
 * @returns {Promise<{ url: string }>} the app's address in a browser
 */
export async function startAppStack(onEnd) {
  const chain = await startChain({ port: 0, dataDir: temporaryFolder(onEnd) })
  onEnd(() => chain.stop())
  const port = await freePort()
  const api = await startApi({
    mode: 'sandbox',
    environments: { local: { name: 'Bench', allowedOrigins: [`http://app.localhost:${port}`] } },
    // The first page sends no message.
    smtpUrl: 'smtp://127.0.0.1:9',
    smsUrl: 'http://127.0.0.1:9',
  })
  onEnd(api.stop)
  const app = await startApp({
    port,
    chainUrl: `http://localhost:${chain.port}`,
    chainWsUrl: `ws://localhost:${chain.wsPort}`,
    apiUrl: api.url,
  })
  onEnd(() => app.stop())
  return { url: app.url }
}
