/** EIP-1193 provider, announced through EIP-6963. */
import { ICON } from '../../icon.js'
import type { Channel } from './channel.js'
import { createEvents } from './events.js'

type Listener = (...args: readonly unknown[]) => void
export interface EvmProvider {
  request(call: { readonly method: string; readonly params?: unknown }): Promise<unknown>
  on(event: string, listener: Listener): void
  removeListener(event: string, listener: Listener): void
}

export function createEvmProvider({ ask, subscribe }: Channel): EvmProvider {
  const { emit, on, removeListener } = createEvents()
  let address: string | undefined
  let chain: number | undefined
  subscribe(({ evm, chainId }) => {
    if (evm !== address) emit('accountsChanged', evm === undefined ? [] : [evm])
    if (chain !== undefined && chainId !== chain) emit('chainChanged', `0x${chainId.toString(16)}`)
    address = evm
    chain = chainId
  })
  return {
    async request(call) {
      const answer = await ask('evm.request', { ...call })
      if (/^eth_(requestAccounts|accounts)$/.test(call.method)) address = Array.isArray(answer) ? answer[0] : undefined
      if (call.method === 'eth_chainId') chain = Number(answer)
      return answer
    },
    on,
    removeListener,
  }
}

/**
 * Announces the provider: https://eips.ethereum.org/EIPS/eip-6963. Returns stop, which hides it from later requests.
 */
export function announceEvm(provider: EvmProvider, name: string): () => void {
  const info = Object.freeze({ uuid: crypto.randomUUID(), name, icon: ICON, rdns: 'dev.keybay.sandbox' })
  const detail = Object.freeze({ info, provider })
  const announce = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  addEventListener('eip6963:requestProvider', announce)
  announce()
  return () => removeEventListener('eip6963:requestProvider', announce)
}
