/** What one embedded wallet of two of two needs, real: product API, R1, the frame's host, and a host's page. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startApi } from '@keybay/sandbox-api'
import { fixed, startFrame } from '@keybay/sandbox-frame'
import { startRelay } from '@keybay/sandbox-relay'
import { build } from 'vite'
import { servePages } from './page-server.mjs'

/** @param {import('node:http').RequestListener} [handler] */
const listen = async handler => {
  const server = createServer(handler)
  await new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const address = server.address()
  return { server, port: typeof address === 'object' && address ? address.port : 0 }
}
const freePort = async () => {
  const { server, port } = await listen()
  await new Promise(resolve => server.close(resolve))
  return port
}

/**
 * @returns {Promise<{ pageUrl: string, code: () => Promise<string>, stop: () => Promise<void> }>} `code`: of the newest
 *   text message.
 */
export const startWalletStack = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'keybay-bench-wallet-'))
  /** @type {(() => unknown)[]} */
  const stops = [() => rmSync(folder, { recursive: true, force: true })]
  const stop = async () => {
    for (const one of stops.reverse()) await one()
  }
  try {
    await build({
      configFile: false,
      envFile: false,
      logLevel: 'error',
      define: { 'process.env.NODE_ENV': '"production"' },
      build: {
        outDir: folder,
        target: 'es2022',
        modulePreload: false,
        rolldownOptions: {
          input: fileURLToPath(new URL('../first-signature/host.ts', import.meta.url)),
          output: { entryFileNames: 'host.js' },
        },
      },
    })
    writeFileSync(
      join(folder, 'index.html'),
      // Chromium tells nothing of the long tasks of a frame that is not shown at all.
      '<!doctype html><meta charset="utf-8"><style>iframe[hidden]{display:block!important}</style><body><script type="module" src="/host.js"></script>',
    )
    const pages = await servePages(folder, {})
    stops.push(pages.close)
    const hostOrigin = pages.origin.replace('localhost', 'app.localhost')

    let code = ''
    const phone = await listen(async (request, response) => {
      let text = ''
      for await (const chunk of request) text += chunk
      code = /\b\d{6}\b/.exec(text)?.[0] ?? ''
      response.end('{}')
    })
    stops.push(() => phone.server.close())

    const framePort = await freePort()
    const frameUrl = `http://wallet.localhost:${framePort}`
    const api = await startApi({
      environments: { local: { name: 'Bench', allowedOrigins: [hostOrigin], frameOrigins: [frameUrl] } },
      smtpUrl: 'smtp://127.0.0.1:9',
      smsUrl: `http://127.0.0.1:${phone.port}`,
      limitFactor: 100,
    })
    stops.push(api.stop)
    const made = await fetch(`${api.internalUrl}/sdk/local/api-tokens`, {
      method: 'POST',
      headers: { authorization: `Bearer ${api.operatorToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'relay' }),
    })
    const { token } = await made.json()
    const relay = await startRelay({
      party: 1,
      port: await freePort(),
      environments: {
        local: {
          apiUrl: api.internalUrl,
          issuer: `${api.url}/sdk/local`,
          hostOrigins: [hostOrigin],
          frameOrigins: [frameUrl],
          // Nobody asks the chain for a message's signature, nor the other party for one of two of two.
          rpcUrl: 'http://127.0.0.1:9',
        },
      },
      peerUrl: 'http://127.0.0.1:9/api/v0',
      apiToken: async () => token,
      limitFactor: 100,
    })
    stops.push(relay.stop)
    /** @type {{ recordKeys: readonly Record<string, unknown>[] }} */
    const party = await (await fetch(`${relay.internalUrl}/party`)).json()
    const recordKeys = party.recordKeys.map(({ kty, crv, x, y }) => ({ kty, crv, x, y }))
    const configuration = {
      environmentId: 'local',
      baseApiUrl: api.url,
      relays: [{ party: 'R1', url: relay.url, recordKeys }],
      parentOrigins: [hostOrigin],
    }
    const frame = await startFrame({ port: framePort, environments: fixed([configuration]) })
    stops.push(frame.stop)
    const query = new URLSearchParams({ api: api.url, frame: frame.url, relay: relay.url })
    return { pageUrl: `${hostOrigin}/?${query}`, code: async () => code, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
