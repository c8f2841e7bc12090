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

export interface Engine extends SolanaEngine {
  watchBalance(signal: AbortSignal, ...args: Parameters<SolanaApi['watchBalance']>): void
}

export const createEngine = (
  kernel: Kernel,
  networks: NetworkControl,
  options: NetworkOptions & EndpointOptions,
  errors: KernelErrors,
  loadPipeline: () => Promise<typeof import('./transaction/pipeline.js')>,
): Engine => {
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
    watchBalance(signal, address, listener, onError = () => {}) {
      if (!isAddress(address)) return onError(fault(addressInvalid))
      const stop = new AbortController()
      for (const source of [signal, over.signal]) source.addEventListener('abort', () => stop.abort())
      if (signal.aborted) return
      watchBalance(clients, networks, { address, clock, signal: stop.signal, onBalance: listener, onError })
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
