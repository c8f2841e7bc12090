/** What loads with the first call: the clients of the networks. Transactions load once more, with their library. */
import type { Kernel } from '@keybay/kernel'
import { addressInvalid } from '@keybay/kernel/spec'
import { airdrop } from './airdrop.js'
import type { SolanaApi, SolanaEngine } from './api.js'
import { watchBalance } from './balance.js'
import { isAddress } from './base58.js'
import { createClients, type EndpointOptions } from './client.js'
import { adoptErrors, fault, type KernelErrors } from './fault.js'
import type { NetworkControl, NetworkOptions } from './networks.js'
import { getBalance } from './rpc/calls.js'
import { confirmTransaction } from './transaction/confirm.js'
import type { Pipeline } from './transaction/pipeline.js'

export type Engine = SolanaEngine & Pick<SolanaApi, 'watchBalance'>

type Rest = readonly [
  options: NetworkOptions & EndpointOptions,
  errors: KernelErrors,
  loadPipeline: () => Promise<typeof import('./transaction/pipeline.js')>,
]
const createEngine = (kernel: Kernel, networks: NetworkControl, ...[options, errors, loadPipeline]: Rest): Engine => {
  adoptErrors(errors)
  const { clock } = kernel
  const clients = createClients(kernel, networks, options)
  const over = new AbortController()
  kernel.onDispose(() => over.abort())
  let loading: Promise<Pipeline> | undefined
  const pipeline = () => {
    loading ??= loadPipeline().then(
      ({ createPipeline }) => createPipeline(kernel, clients, networks),
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
        watchBalance(clients, networks, { address, clock, signal: own.signal, onBalance, onError })
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
export const engineOf = (kernel: Kernel, networks: NetworkControl, ...rest: Rest): Engine => {
  const engine = engines.get(networks) ?? createEngine(kernel, networks, ...rest)
  engines.set(networks, engine)
  return engine
}
