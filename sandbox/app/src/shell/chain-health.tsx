/**
 * Polls the node of the network in use, once for the whole page. The bar and a notice above the page show the result.
 */
import { createContext, type ReactElement, type ReactNode, useContext, useEffect, useRef } from 'react'
import { number } from '../chain/json.js'
import { callChain } from '../chain/rpc.js'
import { useChain } from '../chain/use-chain.js'
import { useCurrentNetwork } from '../chain/use-current-network.js'
import { toast } from './toasts.js'

export interface ChainHealth {
  readonly status: 'unknown' | 'up' | 'down'
  readonly slot: number | undefined
  readonly reload: () => void
}

async function loadSlot(url: string, signal: AbortSignal): Promise<number | undefined> {
  return number(await callChain(url, 'getSlot', [{ commitment: 'confirmed' }], signal))
}

/** Polling interval, in ms. */
const LOOK_MS = 4000
const Health = createContext<ChainHealth>({ status: 'unknown', slot: undefined, reload: () => {} })

export function useChainHealth(): ChainHealth {
  return useContext(Health)
}

export function ChainHealthProvider({ children }: { readonly children: ReactNode }): ReactElement {
  const { name } = useCurrentNetwork()
  const { status: loaded, data: slot, reload } = useChain(loadSlot, LOOK_MS)
  const status = loaded === 'loading' ? 'unknown' : loaded === 'ready' ? 'up' : 'down'
  const last = useRef(status)
  useEffect(() => {
    if (last.current === 'down' && status === 'up') toast(`${name} answers again`)
    last.current = status
  }, [status, name])
  return <Health value={{ status, slot, reload }}>{children}</Health>
}
