import { useKeybay } from '@keybay/react'
import { useCallback } from 'react'
import { useCurrentNetwork } from './use-current-network.js'
import { type Loaded, useLoaded } from './use-loaded.js'

/**
 * Loads data from the node of the network in use, and reloads when the network changes.
 *
 * @param load wrap it in useCallback, or define it outside the component
 * @param every ms
 */
export function useChain<T>(
  load: (url: string, signal: AbortSignal) => Promise<T>,
  every?: number,
): Loaded<T> & { readonly reload: () => void } {
  const keybay = useKeybay()
  const { networkId } = useCurrentNetwork()
  const ask = useCallback(
    async (signal: AbortSignal) => {
      const { rpcUrls } = await keybay.solana.network(networkId)
      return load(rpcUrls[0] ?? '', signal)
    },
    [keybay, networkId, load],
  )
  return useLoaded(ask, every)
}
