/** Proxies a node unchanged, and counts every byte in both directions and every HTTP request. */
import { once } from 'node:events'
import { connect, createServer } from 'node:net'

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
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  const own = new URL(url)
  own.port = String(typeof address === 'object' && address ? address.port : 0)
  return {
    url: own.href.replace(/\/$/, ''),
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
