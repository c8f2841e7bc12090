/** For whoever starts a service and must tell others its port beforehand: tests, benches. */
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Below what systems give to connections that go out and to who asks for any port (from 32768, RFC 6335 §6 from 49152): there,
 * a port that was free a moment ago can be somebody's before the service has it.
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

const given = new Set<number>()

/** @returns a port that nobody listens on, and another one each time */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, END)
    if (given.has(port)) continue
    given.add(port)
    if (await isFree(port)) return port
  }
}
