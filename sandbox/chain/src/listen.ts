import type { Server } from 'node:http'

/** A port is taken. The message names the service and the variable that moves it. */
export class PortTakenError extends Error {
  constructor(port: number, what: string) {
    super(`chain: port ${port} (${what}) is taken. Stop what uses it, or set CHAIN_PORT to another port.`)
    this.name = 'PortTakenError'
  }
}

/** Listens; returns the port. `what` names it in the error. @throws PortTakenError */
export function listen(server: Server, port: number, host: string, what: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' ? new PortTakenError(port, what) : error)
    server.once('error', failed)
    server.listen(port, host, () => {
      server.off('error', failed)
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : port)
    })
  })
}

function close(server: Server): Promise<void> {
  return new Promise(resolve => server.close(() => resolve()))
}

/** How long calls that are under way may take to end (ms). */
const GRACE = 1_000
const SWEEP = 10

/** Stops listening, lets the calls under way be answered, and closes every connection. */
export async function shutDown(server: Server): Promise<void> {
  const closed = close(server)
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP)
  const force = setTimeout(() => server.closeAllConnections(), GRACE)
  await closed
  clearInterval(sweep)
  clearTimeout(force)
}

/** How often a free pair of neighbouring ports is looked for. */
const ATTEMPTS = 20

/**
 * Listens on the HTTP port and on the websocket port, by default the next one: web3.js counts on that. HTTP port 0 takes
 * any free pair.
 *
 * @throws PortTakenError
 */
export async function listenBoth(
  http: Server,
  ws: Server,
  { host, port, wsPort }: { host: string; port: number; wsPort?: number | undefined },
): Promise<{ port: number; wsPort: number }> {
  for (let attempt = 1; ; attempt++) {
    const taken = await listen(http, port, host, 'HTTP')
    try {
      return { port: taken, wsPort: await listen(ws, wsPort ?? taken + 1, host, 'websocket') }
    } catch (error) {
      await close(http)
      if (port !== 0 || attempt === ATTEMPTS || !(error instanceof PortTakenError)) throw error
    }
  }
}
