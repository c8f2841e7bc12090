/** Starts real services for 2-of-2 embedded wallets: product API, R1, the frame's host and a host page. */
import { fileURLToPath } from 'node:url'
import { askLocalRelay, startApi } from '@keybay/sandbox-api'
import { fixed, startFrame } from '@keybay/sandbox-frame'
import { startRelay } from '@keybay/sandbox-relay'
import { freePort } from '@keybay/sandbox-tools/free-port'
import { serveHostPage } from './host-page.mjs'
import { startPhone } from './measured.mjs'

/**
 * @typedef {object} WalletStack
 * @property {string} pageUrl
 * @property {(number: string) => Promise<string>} code sent to a phone
 */

/**
 * @param {(end: () => unknown) => void} onEnd
 * @param {'first-signature' | 'sign-up'} host folder of the host page
 * @returns {Promise<WalletStack>}
 */
export async function startWalletStack(onEnd, host) {
  const page = fileURLToPath(new URL(`../${host}/host.ts`, import.meta.url))
  const hostOrigin = await serveHostPage(onEnd, page)
  const phone = await startPhone(onEnd)
  const [framePort, relayPort] = [await freePort(), await freePort()]
  const frameUrl = `http://wallet.localhost:${framePort}`
  const api = await startApi({
    mode: 'sandbox',
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
  onEnd(api.stop)
  const made = await fetch(`${api.internalUrl}/sdk/local/api-tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${api.operatorToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'relay' }),
  })
  const { token } = await made.json()
  const relay = await startRelay({
    mode: 'sandbox',
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
    apiToken: async () => token,
    limitFactor: 100,
  })
  onEnd(relay.stop)
  /** @type {{ recordKeys: readonly Record<string, unknown>[] }} */
  const party = await (await fetch(`${relay.internalUrl}/party`)).json()
  const recordKeys = party.recordKeys.map(({ kty, crv, x, y }) => ({ kty, crv, x, y }))
  const configuration = {
    environmentId: 'local',
    baseApiUrl: api.url,
    relays: [{ party: 'R1', url: relay.url, recordKeys }],
    parentOrigins: [hostOrigin],
  }
  const frame = await startFrame({ mode: 'sandbox', port: framePort, environments: fixed([configuration]) })
  onEnd(frame.stop)
  const query = new URLSearchParams({ api: api.url, frame: frame.url, relay: relay.url })
  return { pageUrl: `${hostOrigin}/?${query}`, code: phone.code }
}
