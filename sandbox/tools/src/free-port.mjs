/** Picks ports for a caller that must know them before the service starts: tests, benches. */
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Below the ports that systems assign to outgoing connections and to requests for any port (from 32768, RFC 6335 §6
 * from 49152): there, another process can take a free port before the service does.
 */
const [FIRST, END] = [20_000, 32_000]

/** @param {number} port */
async function isFree(port) {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}

/** @type {Set<number>} */
const usedPorts = new Set()

/**
 * @param {number} [count] number of ports in a row
 * @returns {Promise<number>} the first of as many ports that are not in use, different each time
 */
export async function freePort(count = 1) {
  for (;;) {
    const first = randomInt(FIRST, END)
    const ports = Array.from({ length: count }, (_, nth) => first + nth)
    if (ports.some(port => usedPorts.has(port))) continue
    for (const port of ports) usedPorts.add(port)
    if ((await Promise.all(ports.map(isFree))).every(Boolean)) return first
  }
}
