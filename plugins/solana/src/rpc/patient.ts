/** What is only read before a signature exists may be asked again without harm, so that one bad moment ends no transfer. */
import type { Client } from '../client.js'

/** The same client, whose calls are asked twelve times and not four. */
export function patient(client: Client): Client {
  const { rpc } = client
  const call: Client['rpc'] = Object.assign(
    (...[method, params, options]: Parameters<Client['rpc']>) => rpc(method, params, { ...options, patient: true }),
    { all: rpc.all },
  )
  return { ...client, rpc: call }
}
