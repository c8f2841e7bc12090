import { useActiveAccount, useKeybay } from '@keybay/react'
import { useEffect } from 'react'
import type { HistoryEntry } from '../steps.js'
import { type Loaded, useLoaded } from './loaded.js'
import { useNetwork } from './network.js'
import { useSolana } from './solana.js'

/** Polling interval, in ms. */
const POLL_MS = 5000

export interface UseHistory extends Omit<Loaded<readonly HistoryEntry[]>, 'data'> {
  /** Newest first. */
  readonly entries: readonly HistoryEntry[] | undefined
}
/**
 * Returns the newest transactions of an address, or of the active Solana account, on the current network; refetched after
 * each transaction of this instance, when the balance changes, and every 5 s while the page is visible.
 * @param limit default 25
 * @example const { entries = [] } = useHistory(undefined, 5)
 */
export function useHistory(address?: string, limit?: number): UseHistory {
  const solana = useSolana()
  const { on, config } = useKeybay()
  const { account } = useActiveAccount('solana')
  const { network } = useNetwork()
  const owner = address ?? account?.address
  const { data, refresh, ...rest } = useLoaded(
    owner === undefined ? undefined : `${network?.networkId}|${owner}|${limit}`,
    async signal => {
      const { history } = await solana.steps()
      return history(owner ?? '', { signal, ...(limit !== undefined && { limit }) })
    },
  )
  useEffect(() => {
    if (owner === undefined) return undefined
    let isFirst = true
    // A payment that arrives shows at once; the node reports it over the websocket.
    return solana.watchBalance(owner, () => {
      if (!isFirst) void refresh()
      isFirst = false
    })
  }, [solana, owner, refresh])
  const { clock } = config
  useEffect(() => {
    let cancel = () => {}
    const poll = () => {
      cancel = clock.after(POLL_MS, () => {
        if (document.visibilityState !== 'hidden') void refresh()
        poll()
      })
    }
    poll()
    const off = on('transaction:step', ({ step }) => {
      if (step === 'confirmed') void refresh()
    })
    return () => {
      cancel()
      off()
    }
  }, [on, clock, refresh])
  return { ...rest, refresh, entries: data }
}
