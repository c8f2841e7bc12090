/** What speaks to one network: its record, its transport, its websocket. One per network, made when first needed. */

import type { Kernel } from '@keybay/kernel'
import {
  KeybayError,
  noEnabledNetworks,
  recordInvalid,
  type SolanaNetwork,
  solanaNetworksProblem,
  unsupportedChain,
} from '@keybay/kernel/spec'
import type { NetworkControl, NetworkOptions } from './networks.js'
import type { OwnNodes } from './own-nodes.js'
import { RECORDS } from './records.js'
import { createRpc, type Rpc } from './rpc/http.js'
import { createSocket, type Socket, webSocketUrl } from './rpc/socket.js'

export interface Endpoint {
  /** Instead of the network's own URLs; several are asked in their order, the next when one fails. */
  readonly rpcUrl: string | readonly string[]
  /** Default: of each URL the next port for plain http with a port, else the same host. */
  readonly webSocketUrl?: string
}
/** The options that the host gave, and the version of this package. */
export interface EngineOptions extends NetworkOptions, EndpointOptions {
  readonly version: string
}
export interface EndpointOptions {
  /** The host's own nodes, by cluster. They may hold keys: nothing logs them. */
  readonly endpoints?: Readonly<Record<string, Endpoint>>
  /** The networks on which the product API may optimize an unsigned transaction (S7.1). Default: mainnet, `[101]`. */
  readonly optimize?: readonly number[]
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

/** As the host has it, without its endpoints. Undefined: there is no such network. */
export function recordOf(networkId: number, { networks }: NetworkOptions): SolanaNetwork | undefined {
  return (networks ?? RECORDS).find(one => one.networkId === networkId)
}

export function createClients(
  kernel: Pick<Kernel, 'clock'>,
  networks: NetworkControl,
  nodes: OwnNodes,
  options: NetworkOptions & EndpointOptions,
): Clients {
  const made = new Map<number, Client>()
  const problem = options.networks && solanaNetworksProblem(options.networks)
  nodes.subscribe(networkId => made.delete(networkId))
  const make = (networkId: number): Client => {
    // Before any of the addresses is called or shown.
    if (problem !== undefined) throw new KeybayError(recordInvalid, { detail: problem })
    const known = recordOf(networkId, options)
    if (!known) throw new KeybayError(unsupportedChain, { details: { networkId } })
    const chosen = nodes.of(networkId)
    // Theirs alone: who brings a node does not want the others to hear of it.
    const own: Endpoint | undefined = chosen === undefined ? options.endpoints?.[known.cluster] : { rpcUrl: chosen }
    const record = own ? { ...known, rpcUrls: [own.rpcUrl].flat(), privateCustomerRpcUrls: [] } : known
    const urls = [...(record.privateCustomerRpcUrls ?? []), ...record.rpcUrls]
    const client = {
      record,
      rpc: createRpc(urls, kernel.clock),
      socket: createSocket(own?.webSocketUrl ? [own.webSocketUrl] : urls.map(webSocketUrl), kernel.clock),
    }
    made.set(networkId, client)
    return client
  }
  return {
    async get(networkId) {
      await Promise.all([networks.restore(), nodes.restore()])
      const id = networkId ?? networks.current()?.networkId
      if (id === undefined) throw new KeybayError(noEnabledNetworks)
      return made.get(id) ?? make(id)
    },
  }
}
