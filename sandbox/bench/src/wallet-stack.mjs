/** Starts real services for one 2-of-2 embedded wallet: product API, R1, the frame's host and a host page. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { askLocalRelay, startApi } from '@keybay/sandbox-api'
import { fixed, startFrame } from '@keybay/sandbox-frame'
import { startRelay } from '@keybay/sandbox-relay'
import { listen, serveHostPage, startPhone } from './host-page.mjs'

async function freePort() {
  const { server, port } = await listen()
  await new Promise(resolve => server.close(resolve))
  return port
}

/**
 * @returns {Promise<{ pageUrl: string, code: () => Promise<string>, stop: () => Promise<void> }>} `code`: from the latest
 * text message
 */
export async function startWalletStack() {
  const folder = mkdtempSync(join(tmpdir(), 'keybay-bench-wallet-'))
  /** @type {(() => unknown)[]} */
  const stops = [() => rmSync(folder, { recursive: true, force: true })]
  const stop = async () => {
    for (const stop of stops.reverse()) await stop()
  }
  try {
    const page = await serveHostPage(fileURLToPath(new URL('../first-signature/host.ts', import.meta.url)), folder)
    stops.push(page.close)
    const { origin: hostOrigin } = page
    const phone = await startPhone()
    stops.push(phone.close)

    const [framePort, relayPort] = [await freePort(), await freePort()]
    const frameUrl = `http://wallet.localhost:${framePort}`
    const api = await startApi({
      environments: {
        local: {
          name: 'Bench',
          allowedOrigins: [hostOrigin],
          frameOrigins: [frameUrl],
          embeddedWallets: { enabled: true },
        },
      },
      smtpUrl: 'smtp://127.0.0.1:9',
      smsUrl: phone.url,
      recordKeys: askLocalRelay(`http://127.0.0.1:${relayPort}/api/v0`),
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
      port: relayPort,
      environments: {
        local: {
          apiUrl: api.internalUrl,
          issuer: `${api.url}/sdk/local`,
          hostOrigins: [hostOrigin],
          frameOrigins: [frameUrl],
          // Signing a message needs no chain, and 2 of 2 needs no third party.
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
    return { pageUrl: `${hostOrigin}/?${query}`, code: phone.code, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
