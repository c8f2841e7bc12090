/**
 * Polls the node of the network in use, once for the whole page. The bar and a notice above the page show the result.
 */
import { createContext, type ReactNode, useContext, useEffect, useRef } from 'react'
import { Button, Notice, toast } from '../design/index.js'
import { callChain, number } from './rpc.js'
import { useChain, useCurrentNetwork } from './use-loaded.js'

interface ChainHealth {
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

export function ChainHealthProvider({ children }: { readonly children: ReactNode }) {
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

/** Notice above the page while the chain is unreachable. */
export function ChainTrouble() {
  const { status, reload } = useChainHealth()
  const { name, cluster } = useCurrentNetwork()
  if (status !== 'down') return null
  return (
    <div className="trouble">
      <Notice kind="bad" title={`${name} does not answer`}>
        <span>
          Balances may be old, and nothing can be sent. This page tries again by itself.{' '}
          {cluster === 'localnet'
            ? 'If you stopped the chain, start it with npm start.'
            : 'Check your connection, or choose another network above.'}
        </span>
        <Button small text="Try now" onClick={reload} />
      </Notice>
    </div>
  )
}
