/** Retries reads made before a signature exists: that is safe, and a short outage does not end the transfer. */
import type { Client } from '../client.js'

/** Returns the same client with twelve tries per call instead of four. */
export function patient(client: Client): Client {
  const { rpc } = client
  const call: Client['rpc'] = Object.assign(
    (...[method, params, options]: Parameters<Client['rpc']>) => rpc(method, params, { ...options, patient: true }),
    { all: rpc.all },
  )
  return { ...client, rpc: call }
}
