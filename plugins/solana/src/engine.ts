/** Loads with the first call: the clients of the networks. The transaction code loads separately, with its library. */
import type { Account, Kernel } from '@keybay/kernel'
import { addressInvalid, KeybayError, unsupportedChain } from '@keybay/kernel/spec'
import { isAddress } from './address.js'
import type { SolanaApi, SolanaEngine } from './api.js'
import { watchBalance } from './balance.js'
import { chainOf } from './chain.js'
import { createClients, type EngineOptions } from './client.js'
import { amountInvalid } from './errors.js'
import type { NetworkControl, NetworkSummary } from './networks.js'
import { createOwnNodes, type OwnNodes } from './own-nodes.js'
import { getBalance, requestAirdrop } from './rpc/calls.js'
import type { Pipeline } from './transaction/pipeline.js'

export type Engine = SolanaEngine & Pick<SolanaApi, 'watchBalance'>

/** Emits `network:changed` with the connectors that do not support the network. */
function emitNetwork({ accounts, connectors, events }: Kernel, network: NetworkSummary): void {
  const chain = chainOf(network)
  const lacksChain = ({ walletAccount, connectorId }: Account) => {
    const connector = connectors.get(connectorId)
    return (
      !walletAccount.chains.includes(chain) && connector?.kind === 'wallet' && !connector.wallet.chains.includes(chain)
    )
  }
  const without = accounts.list().filter(lacksChain)
  events.emit('network:changed', {
    network,
    chain,
    without: [...new Set(without.map(({ connectorId }) => connectorId))],
  })
}

function watchNetwork(kernel: Kernel, networks: NetworkControl, nodes: OwnNodes): void {
  let current = networks.current()
  kernel.onDispose(
    networks.subscribe(() => {
      const network = networks.current()
      if (!network || network === current) return
      current = network
      emitNetwork(kernel, network)
    }),
  )
  kernel.onDispose(
    nodes.subscribe(networkId => {
      const network = networks.current()
      if (network?.networkId === networkId) emitNetwork(kernel, network)
    }),
  )
}

export function createEngine(
  kernel: Kernel,
  networks: NetworkControl,
  options: EngineOptions,
  loadPipeline: () => Promise<typeof import('./transaction/pipeline.js')>,
  loadConfirm: () => Promise<typeof import('./transaction/confirm.js')>,
): Engine {
  const { clock } = kernel
  const nodes = createOwnNodes(kernel)
  const clients = createClients(kernel, networks, nodes, options)
  const disposal = new AbortController()
  kernel.onDispose(() => disposal.abort())
  watchNetwork(kernel, networks, nodes)
  let pipeline: Pipeline | undefined
  const getPipeline = async () => {
    const { createPipeline } = await loadPipeline()
    pipeline ??= createPipeline({ kernel, clients, networks, nodes, options })
    return pipeline
  }
  return {
    network: async networkId => (await clients.get(networkId)).record,
    async getBalance(address, { signal } = {}) {
      if (!isAddress(address)) throw new KeybayError(addressInvalid)
      const { rpc } = await clients.get()
      return (await getBalance(rpc, address, { signal })).lamports
    },
    watchBalance(address, onBalance, onError = () => {}) {
      const controller = new AbortController()
      const { signal } = controller
      const stop = () => controller.abort()
      disposal.signal.addEventListener('abort', stop)
      if (isAddress(address)) watchBalance(clients, [networks, nodes], { address, clock, signal, onBalance, onError })
      else onError(new KeybayError(addressInvalid))
      return () => {
        disposal.signal.removeEventListener('abort', stop)
        stop()
      }
    },
    async requestAirdrop(address, lamports, confirm = {}) {
      const client = await clients.get()
      const { networkId, isTestnet } = client.record
      if (!isTestnet) throw new KeybayError(unsupportedChain, { details: { networkId } })
      if (!isAddress(address)) throw new KeybayError(addressInvalid)
      // Must fit a JSON number; no faucet gives more.
      if (lamports <= 0n || lamports > BigInt(Number.MAX_SAFE_INTEGER)) throw new KeybayError(amountInvalid)
      const { commitment = 'confirmed', signal } = confirm
      const { confirmTransaction } = await loadConfirm()
      const signature = await requestAirdrop(client.rpc, address, Number(lamports), commitment, { signal })
      return confirmTransaction({ client, awaited: { signature }, clock, options: confirm, programs: [] })
    },
    send: async input => (await getPipeline()).send(input),
    steps: async () => (await getPipeline()).steps,
    sendTransaction: async (...args) => (await getPipeline()).sendTransaction(...args),
  }
}
