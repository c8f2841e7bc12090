/** What loads with the first call: the clients of the networks. Transactions load once more, with their library. */
import type { Account, Kernel } from '@keybay/kernel'
import { addressInvalid } from '@keybay/kernel/spec'
import { airdrop } from './airdrop.js'
import type { SolanaApi, SolanaEngine } from './api.js'
import { watchBalance } from './balance.js'
import { isAddress } from './base58.js'
import { chainOf } from './chain.js'
import { createClients, type EndpointOptions } from './client.js'
import { adoptErrors, fault, type KernelErrors } from './fault.js'
import type { NetworkControl, NetworkOptions, NetworkSummary } from './networks.js'
import { createOwnNodes } from './own-nodes.js'
import { getBalance } from './rpc/calls.js'
import { confirmTransaction } from './transaction/confirm.js'
import type { Pipeline } from './transaction/pipeline.js'

export type Engine = SolanaEngine & Pick<SolanaApi, 'watchBalance'>

type Rest = readonly [
  options: NetworkOptions & EndpointOptions,
  errors: KernelErrors,
  loadPipeline: () => Promise<typeof import('./transaction/pipeline.js')>,
]

function createEngine(kernel: Kernel, networks: NetworkControl, ...[options, errors, loadPipeline]: Rest): Engine {
  adoptErrors(errors)
  const { clock } = kernel
  const nodes = createOwnNodes(kernel)
  const clients = createClients(kernel, networks, nodes, options)
  const over = new AbortController()
  kernel.onDispose(() => over.abort())
  let told = networks.current()
  const tell = (network: NetworkSummary) => {
    const chain = chainOf(network)
    const lacks = ({ walletAccount, connectorId }: Account) => {
      const connector = kernel.connectors.get(connectorId)
      return (
        !walletAccount.chains.includes(chain) &&
        connector?.kind === 'wallet' &&
        !connector.wallet.chains.includes(chain)
      )
    }
    const without = kernel.accounts.list().filter(lacks)
    kernel.events.emit('network:changed', {
      network,
      chain,
      without: [...new Set(without.map(one => one.connectorId))],
    })
  }
  kernel.onDispose(
    networks.subscribe(() => {
      const network = networks.current()
      if (!network || network === told) return
      told = network
      tell(network)
    }),
  )
  kernel.onDispose(
    nodes.subscribe(networkId => {
      const network = networks.current()
      if (network?.networkId === networkId) tell(network)
    }),
  )
  let loading: Promise<Pipeline> | undefined
  const pipeline = () => {
    loading ??= loadPipeline().then(
      ({ createPipeline }) => createPipeline(kernel, clients, networks, nodes, options),
      error => {
        loading = undefined // offline now; the next call tries again
        throw error
      },
    )
    return loading
  }
  return {
    network: async networkId => (await clients.get(networkId)).record,
    async getBalance(address, { signal } = {}) {
      if (!isAddress(address)) throw fault(addressInvalid)
      const { rpc } = await clients.get()
      return (await getBalance(rpc, address, 'confirmed', { signal })).lamports
    },
    watchBalance(address, onBalance, onError = () => {}) {
      const own = new AbortController()
      const stop = () => own.abort()
      over.signal.addEventListener('abort', stop)
      if (isAddress(address))
        watchBalance(clients, [networks, nodes], { address, clock, signal: own.signal, onBalance, onError })
      else onError(fault(addressInvalid))
      return () => {
        over.signal.removeEventListener('abort', stop)
        stop()
      }
    },
    async requestAirdrop(address, lamports, confirm = {}) {
      const client = await clients.get()
      const signature = await airdrop(client, address, lamports, confirm)
      return confirmTransaction(client, { signature }, clock, confirm, [])
    },
    send: async input => (await pipeline()).send(input),
    steps: async () => (await pipeline()).steps,
    sendTransaction: async (...args) => (await pipeline()).sendTransaction(...args),
  }
}

const engines = new WeakMap<NetworkControl, Engine>()
/** The one engine of an instance, kept here because every byte of the plugin's own file is in the page's first chunk. */
export function engineOf(kernel: Kernel, networks: NetworkControl, ...rest: Rest): Engine {
  const engine = engines.get(networks) ?? createEngine(kernel, networks, ...rest)
  engines.set(networks, engine)
  return engine
}
