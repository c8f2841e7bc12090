/** What speaks to one network: its record, its transport, its websocket. One per network, made when first needed. */
import type { Kernel } from '@keybay/kernel'
import { noEnabledNetworks, type SolanaNetwork, unsupportedChain } from '@keybay/kernel/spec'
import { fault } from './fault.js'
import type { NetworkControl, NetworkOptions } from './networks.js'
import { RECORDS } from './records.js'
import { createRpc, type Rpc } from './rpc/http.js'
import { createSocket, type Socket, webSocketUrl } from './rpc/socket.js'

export interface Endpoint {
  /** Instead of the network's own URLs. */
  readonly rpcUrl: string
  /** Default: the next port for plain http with a port, else the same host. */
  readonly webSocketUrl?: string
}
export interface EndpointOptions {
  /** The host's own nodes, by cluster. They may hold keys: nothing logs them. */
  readonly endpoints?: Readonly<Record<string, Endpoint>>
}
export interface Client {
  readonly record: SolanaNetwork
  readonly rpc: Rpc
  readonly socket: Socket
}
export interface Clients {
  /** The network in use by default. @throws KeybayError `no_enabled_networks`, `unsupported_chain`, `record_invalid` */
  get(networkId?: number): Promise<Client>
}

export const createClients = (
  kernel: Pick<Kernel, 'clock'>,
  networks: NetworkControl,
  options: NetworkOptions & EndpointOptions,
): Clients => {
  const made = new Map<number, Client>()
  const make = (networkId: number): Client => {
    const known = (options.networks ?? RECORDS).find(one => one.networkId === networkId)
    if (!known) throw fault(unsupportedChain, { details: { networkId } })
    const own = options.endpoints?.[known.cluster]
    const record = own ? { ...known, rpcUrls: [own.rpcUrl], privateCustomerRpcUrls: [] } : known
    const urls = [...(record.privateCustomerRpcUrls ?? []), ...record.rpcUrls]
    const client = {
      record,
      rpc: createRpc(urls, kernel.clock),
      socket: createSocket(own?.webSocketUrl ?? webSocketUrl(urls[0] ?? ''), kernel.clock),
    }
    made.set(networkId, client)
    return client
  }
  return {
    async get(networkId) {
      await networks.restore()
      const id = networkId ?? networks.current()?.networkId
      if (id === undefined) throw fault(noEnabledNetworks)
      return made.get(id) ?? make(id)
    },
  }
}
