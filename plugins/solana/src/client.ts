/** Client of one network: its record, transport and websocket. Created per network on first use. */
import type { Kernel } from '@keybay/kernel'
import {
  KeybayError,
  noEnabledNetworks,
  recordInvalid,
  type SolanaNetwork,
  solanaNetworksProblem,
  unsupportedChain,
} from '@keybay/kernel/spec'
import type { NetworkControl, NetworkOptions, SolanaNetworks } from './networks.js'
import { readOperatorNetworks } from './operator-networks.js'
import type { OwnNodes } from './own-nodes.js'
import { RECORDS } from './records.js'
import { createRpc, type Rpc } from './rpc/http.js'
import { createSocket, type Socket, webSocketUrl } from './rpc/socket.js'

export interface Endpoint {
  /** Replaces the network's URLs. Several are tried in order; a failure moves on to the next. */
  readonly rpcUrl: string | readonly string[]
  /** Default, per URL: the next port for plain http with a port, else the same host. */
  readonly webSocketUrl?: string
}
/** The options that the host gave, and the version of this package. */
export interface EngineOptions extends NetworkOptions, EndpointOptions {
  readonly version: string
}
export interface EndpointOptions {
  /** The app's own nodes, by cluster. Never logged, because they may hold API keys. */
  readonly endpoints?: Readonly<Record<string, Endpoint>>
  /** Networks on which the product API may optimize an unsigned transaction (S7.1). Default: mainnet, `[101]`. */
  readonly optimize?: readonly number[]
}
export interface Client {
  readonly record: SolanaNetwork
  readonly rpc: Rpc
  readonly socket: Socket
}
export interface Clients {
  /**
   * Returns a network's client; default: the current network. @throws KeybayError `no_enabled_networks`, `unsupported_chain`,
   * `record_invalid`
   */
  get(networkId?: number): Promise<Client>
}
/** Returns the app's record of the network, without custom endpoints. Undefined if the network does not exist. */
export function getRecord(networkId: number, { networks }: NetworkOptions): SolanaNetwork | undefined {
  return (networks ?? RECORDS).find(network => network.networkId === networkId)
}

export function createClients(
  kernel: Pick<Kernel, 'clock' | 'events' | 'config' | 'plugins' | 'logger'>,
  networks: NetworkControl,
  nodes: OwnNodes,
  options: NetworkOptions & EndpointOptions,
): Clients {
  const { clock, events } = kernel
  const made = new Map<number, Client>()
  const problem = options.networks && solanaNetworksProblem(options.networks)
  nodes.subscribe(networkId => made.delete(networkId))
  /** Returns the operator's record of a network, unless the app has records or this network's nodes come from elsewhere. */
  const readOperatorRecord = async (networkId: number): Promise<SolanaNetwork | undefined> => {
    const known = getRecord(networkId, options)
    const isKnown = known && !options.networks && !options.endpoints?.[known.cluster]
    if (!isKnown || made.has(networkId) || nodes.of(networkId) !== undefined) return undefined
    return (await readOperatorNetworks(kernel)).find(record => record.networkId === networkId)
  }
  const make = (networkId: number, operators: SolanaNetwork | undefined): Client => {
    // Runs before any of the URLs is called or shown.
    if (problem !== undefined) throw new KeybayError(recordInvalid, { detail: problem })
    const known = operators ?? getRecord(networkId, options)
    if (!known) throw new KeybayError(unsupportedChain, { details: { networkId } })
    const chosen = nodes.of(networkId)
    // Uses only this node: a user who configures one does not want others to receive the requests.
    const endpoint: Endpoint | undefined =
      chosen === undefined ? options.endpoints?.[known.cluster] : { rpcUrl: chosen }
    const record = endpoint ? { ...known, rpcUrls: [endpoint.rpcUrl].flat(), privateCustomerRpcUrls: [] } : known
    const urls = [...(record.privateCustomerRpcUrls ?? []), ...record.rpcUrls]
    const client = {
      record,
      rpc: createRpc(urls, clock, call => events.emit('rpc:called', { networkId, ...call })),
      socket: createSocket(endpoint?.webSocketUrl ? [endpoint.webSocketUrl] : urls.map(webSocketUrl), clock),
    }
    made.set(networkId, client)
    return client
  }
  return {
    async get(networkId) {
      await Promise.all([networks.restore(), nodes.restore()])
      const id = networkId ?? networks.current()?.networkId
      if (id === undefined) throw new KeybayError(noEnabledNetworks)
      const operators = await readOperatorRecord(id)
      return made.get(id) ?? make(id, operators)
    },
  }
}

/** Sources of a change of the client: networks, and the user's own nodes. */
export type Changes = readonly Pick<SolanaNetworks, 'subscribe'>[]

/**
 * Passes the client of the current network on, and again after each change, until the signal aborts.
 * @param watch gets a signal that aborts when the client is replaced
 */
export function followClient(
  clients: Clients,
  changes: Changes,
  signal: AbortSignal,
  onError: (error: unknown) => void,
  watch: (client: Client, signal: AbortSignal) => void,
): void {
  let current: AbortController | undefined
  const follow = () => {
    current?.abort()
    const controller = new AbortController()
    current = controller
    clients.get().then(client => {
      if (!controller.signal.aborted) watch(client, controller.signal)
    }, onError)
  }
  const offs = changes.map(change => change.subscribe(follow))
  signal.addEventListener('abort', () => {
    for (const off of offs) off()
    current?.abort()
  })
  follow()
}
