/** Picks a port for a caller that must know it before the service starts: tests, benches. */
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Below the ports that systems assign to outgoing connections and to requests for any port (from 32768, RFC 6335 §6
 * from 49152): there, another process can take a free port before the service does.
 */
const [FIRST, END] = [20_000, 32_000]

async function isFree(port: number): Promise<boolean> {
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

const usedPorts = new Set<number>()

/** @returns a port that is not in use, different each time */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, END)
    if (usedPorts.has(port)) continue
    usedPorts.add(port)
    if (await isFree(port)) return port
  }
}
