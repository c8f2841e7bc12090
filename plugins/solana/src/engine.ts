/** What loads with the first call: the clients of the networks. Transactions load once more, with their library. */
import { disposed, type Kernel, KeybayError } from '@keybay/kernel'
import { checkAddress } from './address.js'
import { airdrop } from './airdrop.js'
import type { SolanaEngine } from './api.js'
import { watchBalance } from './balance.js'
import { createClients, type EndpointOptions } from './client.js'
import type { NetworkControl, NetworkOptions } from './networks.js'
import { getBalance } from './rpc/calls.js'
import { confirmTransaction } from './transaction/confirm.js'
import type { Pipeline } from './transaction/pipeline.js'

export interface Engine extends SolanaEngine {
  watchBalance(
    address: string,
    listener: (balance: bigint) => void,
    onError: (error: KeybayError) => void,
    signal: AbortSignal,
  ): void
}

export const createEngine = (
  kernel: Kernel,
  control: NetworkControl,
  options: NetworkOptions & EndpointOptions,
): Engine => {
  const { clock } = kernel
  const clients = createClients(kernel, control, options)
  const over = new AbortController()
  kernel.onDispose(() => over.abort(new KeybayError(disposed)))
  let loading: Promise<Pipeline> | undefined
  const pipeline = () => {
    loading ??= import('./transaction/pipeline.js').then(
      ({ createPipeline }) => createPipeline(kernel, clients, control.networks),
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
      checkAddress(address)
      const { rpc } = await clients.get()
      return (await getBalance(rpc, address, 'confirmed', { signal })).lamports
    },
    watchBalance(address, listener, onError, signal) {
      checkAddress(address)
      const stop = new AbortController()
      for (const source of [signal, over.signal]) source.addEventListener('abort', () => stop.abort())
      if (signal.aborted) return
      watchBalance(clients, control.networks, { address, clock, signal: stop.signal, onBalance: listener, onError })
    },
    async requestAirdrop(address, lamports, confirm = {}) {
      const client = await clients.get()
      const signature = await airdrop(client, address, lamports, confirm)
      return confirmTransaction(client, { signature }, clock, confirm, [])
    },
    send: async input => (await pipeline()).send(input),
    sendTransaction: async (...args) => (await pipeline()).sendTransaction(...args),
    build: async (...args) => (await pipeline()).build(...args),
    fee: async (...args) => (await pipeline()).fee(...args),
    checkFunds: async (...args) => (await pipeline()).checkFunds(...args),
    sign: async (...args) => (await pipeline()).sign(...args),
    submit: async (...args) => (await pipeline()).submit(...args),
    confirm: async (...args) => (await pipeline()).confirm(...args),
  }
}
