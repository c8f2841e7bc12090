import type { Server } from 'node:http'
import { closeServer, listen, PortTakenError } from '@keybay/sandbox-service'

/** Maximum attempts to find a free pair of neighboring ports. */
const MAX_ATTEMPTS = 20

/**
 * Listens on the HTTP port and on the websocket port, by default the next one. HTTP port 0 picks any free pair.
 * @throws PortTakenError
 */
export async function listenBoth(
  http: Server,
  ws: Server,
  { host, port, wsPort }: { host: string; port: number; wsPort?: number | undefined },
): Promise<{ port: number; wsPort: number }> {
  for (let attempt = 1; ; attempt++) {
    const httpPort = await listen(http, { service: 'chain', variable: 'CHAIN_PORT', port, host })
    try {
      const options = { service: 'chain', variable: 'CHAIN_WS_PORT', port: wsPort ?? httpPort + 1, host }
      return { port: httpPort, wsPort: await listen(ws, options) }
    } catch (error) {
      await closeServer(http, 0)
      if (port !== 0 || attempt === MAX_ATTEMPTS || !(error instanceof PortTakenError)) throw error
    }
  }
}
