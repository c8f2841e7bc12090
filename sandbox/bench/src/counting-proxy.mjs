/** Proxies a node unchanged, and counts every byte in both directions and every HTTP request of a transfer. */
import { connect, createServer } from 'node:net'
import { listen } from './measured.mjs'
import { median } from './stats.mjs'

/** First line of each request; a JSON body contains no such line. */
const REQUEST = /^POST \S* HTTP\/1\.1\r$/gm

/**
 * @typedef {object} Counts
 * @property {number} calls HTTP requests.
 * @property {number} bytes Both ways, headers and websocket frames among them.
 */

/** @param {string} url @param {Counts} counts */
async function startOne(url, counts) {
  const { hostname, port } = new URL(url)
  /** @type {Set<import('node:net').Socket>} */
  const open = new Set()
  const server = createServer(client => {
    const node = connect(Number(port), hostname)
    for (const [from, to] of /** @type {const} */ ([
      [client, node],
      [node, client],
    ])) {
      open.add(from)
      from.on('data', data => {
        counts.bytes += data.length
        if (from === client) counts.calls += data.toString('latin1').match(REQUEST)?.length ?? 0
        to.write(data)
      })
      from.on('error', () => to.destroy())
      from.on('close', () => {
        open.delete(from)
        to.destroy()
      })
    }
  })
  const proxied = new URL(url)
  proxied.port = String(await listen(server))
  return {
    url: proxied.href.replace(/\/$/, ''),
    close: () => {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}

/**
 * @param {{ url: string, wsUrl: string }} node
 * @returns {Promise<{ url: string, wsUrl: string, counts: Counts, close: () => void }>}
 */
export async function countingProxy({ url, wsUrl }) {
  const counts = { calls: 0, bytes: 0 }
  const [http, ws] = [await startOne(url, counts), await startOne(wsUrl, counts)]
  return {
    url: http.url,
    wsUrl: ws.url,
    counts,
    close: () => {
      http.close()
      ws.close()
    },
  }
}

/**
 * @typedef {object} Transfer
 * @property {number} calls HTTP requests; Keybay's are of one JSON-RPC call each.
 * @property {number} bytes Both ways, the websocket's among them.
 * @property {number} ms Until it says that it is confirmed.
 *
 * @typedef {{ [K in keyof Transfer]: number | undefined }} Cost
 */

/** @param {Counts} counts @param {() => Promise<unknown>} transfer @returns {Promise<Transfer>} */
export async function measureOne(counts, transfer) {
  const before = { ...counts }
  const started = performance.now()
  await transfer()
  const ms = performance.now() - started
  return { calls: counts.calls - before.calls, bytes: counts.bytes - before.bytes, ms }
}

/** Medians. @param {readonly Transfer[]} all @returns {Cost} */
export function getCost(all) {
  return {
    calls: median(all.map(({ calls }) => calls)),
    bytes: median(all.map(({ bytes }) => bytes)),
    ms: median(all.map(({ ms }) => ms)),
  }
}
