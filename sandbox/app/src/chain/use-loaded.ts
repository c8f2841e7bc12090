import { useKeybay } from '@keybay/react'
import type { NetworkSummary } from '@keybay/solana'
import { useNetwork } from '@keybay/solana/react'
import { getNetworkName } from '@keybay/solana/ui'
import { useCallback, useEffect, useState } from 'react'
import { ChainError } from './rpc.js'

interface State<T> {
  readonly status: 'loading' | 'ready' | 'failed'
  /** After a failure, the value loaded before. */
  readonly data?: T | undefined
  readonly error?: Error
}
export interface Loaded<T> extends State<T> {
  readonly reload: () => void
}

/** Delay before a failed load is retried, in ms. */
const RETRY_MS = 3000

/**
 * Loads when `load` changes (wrap it in useCallback), after a failure that may end, and every `every` ms while the page is
 * visible. Keeps the loaded data until the same `load` returns newer data.
 */
export function useLoaded<T>(load: (signal: AbortSignal) => Promise<T>, every?: number): Loaded<T> {
  const [{ of, ...state }, setState] = useState<State<T> & { readonly of?: typeof load }>({ status: 'loading' })
  const [round, setRound] = useState(0)
  const reload = useCallback(() => setRound(last => last + 1), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round means to ask again
  useEffect(() => {
    const control = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = async () => {
      if (document.visibilityState === 'hidden') {
        document.addEventListener('visibilitychange', () => void look(), { once: true, signal: control.signal })
        return
      }
      let again = every
      try {
        const data = await load(control.signal)
        if (!control.signal.aborted) setState({ status: 'ready', data, of: load })
      } catch (thrown) {
        if (control.signal.aborted) return
        const error = thrown instanceof Error ? thrown : new Error(String(thrown))
        setState(last => ({ status: 'failed', error, data: last.of === load ? last.data : undefined, of: load }))
        again = error instanceof ChainError && error.isRefused ? undefined : RETRY_MS
      }
      if (again !== undefined && !control.signal.aborted) timer = setTimeout(() => void look(), again)
    }
    void look()
    return () => {
      clearTimeout(timer)
      control.abort()
    }
  }, [load, every, round])
  return of === load ? { ...state, reload } : { status: 'loading', reload }
}

/**
 * Loads data from the node of the network in use, and reloads when the network changes.
 *
 * @param load wrap it in useCallback, or define it outside the component
 * @param every ms
 */
export function useChain<T>(load: (url: string, signal: AbortSignal) => Promise<T>, every?: number): Loaded<T> {
  const keybay = useKeybay()
  const { networkId } = useCurrentNetwork()
  const loadHere = useCallback(
    async (signal: AbortSignal) => {
      const { rpcUrls } = await keybay.solana.network(networkId)
      return load(rpcUrls[0] ?? '', signal)
    },
    [keybay, networkId, load],
  )
  return useLoaded(loadHere, every)
}

export function useSettings() {
  const { account } = useKeybay()
  return useLoaded(useCallback((signal: AbortSignal) => account.settings({ signal }), [account]))
}

/** Returns the network in use with its display name. @throws Error without a network; this app always has one */
export function useCurrentNetwork(): NetworkSummary {
  const { network } = useNetwork()
  if (!network) throw new Error('This instance was made without networks.')
  return { ...network, name: getNetworkName(network) }
}
