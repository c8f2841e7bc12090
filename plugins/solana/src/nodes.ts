/** Sets and removes the user's own nodes. Loads with the transactions. */
import type { Clock } from '@keybay/kernel'
import { KeybayError } from '@keybay/kernel/spec'
import { isAddress } from './address.js'
import { type Clients, type EndpointOptions, getRecord } from './client.js'
import { rpcUrlInvalid, rpcWrongNetwork } from './errors.js'
import type { NetworkOptions, SolanaNetworks } from './networks.js'
import { type OwnNodes, readNodeUrl } from './own-nodes.js'
import { getGenesisHash } from './rpc/calls.js'
import { createRpc } from './rpc/http.js'
import type { NodeOptions, SolanaNodes } from './steps.js'

interface Parts {
  readonly clients: Clients
  readonly networks: SolanaNetworks
  readonly nodes: OwnNodes
  readonly clock: Clock
  readonly options: NetworkOptions & EndpointOptions
}

export function createNodes({ clients, networks, nodes, clock, options }: Parts): SolanaNodes {
  const findRecord = async (networkId: number | undefined) => {
    const { record } = await clients.get(networkId)
    return record
  }
  /** @throws KeybayError `rpc_wrong_network`, and the errors of a call */
  const check = async (url: string, networkId: number, { signal }: NodeOptions) => {
    const hash = await getGenesisHash(createRpc([url], clock), { signal })
    const all = networks.list().map(network => getRecord(network.networkId, options))
    const expected = all.find(record => record?.networkId === networkId)?.genesisHash
    const other = all.find(record => record?.networkId !== networkId && record?.genesisHash === hash)
    // A local chain changes its genesis on each start, so this can only exclude the known chains.
    if (isAddress(hash) && (expected ? hash === expected : !other)) return
    throw new KeybayError(rpcWrongNetwork, {
      ...(other && { detail: `it belongs to ${other.name}` }),
      details: { networkId, found: hash, other: other?.cluster },
    })
  }
  return {
    async get(networkId) {
      return nodes.of((await findRecord(networkId)).networkId)
    },
    async set(rpcUrl, nodeOptions = {}) {
      const url = readNodeUrl(rpcUrl)
      if (url === undefined) throw new KeybayError(rpcUrlInvalid)
      const { networkId } = await findRecord(nodeOptions.networkId)
      await check(url, networkId, nodeOptions)
      await nodes.put(networkId, url)
    },
    async remove(networkId) {
      await nodes.put((await findRecord(networkId)).networkId, undefined)
    },
  }
}
