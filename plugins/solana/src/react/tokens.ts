import { useActiveAccount, useKeybay } from '@keybay/react'
import { useEffect } from 'react'
import type { TokenAccount } from '../steps.js'
import { type Loaded, useLoaded } from './loaded.js'
import { useNetwork } from './network.js'
import { useSolana } from './solana.js'

export interface UseTokenAccounts extends Omit<Loaded<readonly TokenAccount[]>, 'data'> {
  /** SPL Token and Token-2022 accounts, including empty ones. */
  readonly accounts: readonly TokenAccount[] | undefined
}
/**
 * Returns the token accounts of an address, or of the active Solana account, on the current network; refetched when tokens come
 * or go, and after each transaction of this instance.
 * @example const { accounts = [] } = useTokenAccounts()
 */
export function useTokenAccounts(owner?: string): UseTokenAccounts {
  const solana = useSolana()
  const keybay = useKeybay()
  const { account } = useActiveAccount('solana')
  const { network } = useNetwork()
  const address = owner ?? account?.address
  const { data, refresh, ...rest } = useLoaded(
    address === undefined ? undefined : `${network?.networkId}|${address}`,
    async signal => {
      const { tokenAccounts } = await solana.steps()
      return tokenAccounts(address ?? '', { signal })
    },
  )
  // An address that can't be read has nothing to watch.
  const isRead = data !== undefined
  useEffect(() => {
    if (address === undefined || !isRead) return undefined
    let stop: (() => void) | undefined = () => {}
    solana.steps().then(
      ({ watchTokenAccounts }) => {
        if (stop) stop = watchTokenAccounts(address, () => void refresh())
      },
      () => {}, // `error` says so
    )
    return () => {
      stop?.()
      stop = undefined
    }
  }, [solana, address, isRead, refresh])
  useEffect(
    () =>
      keybay.on('transaction:step', ({ step }) => {
        if (step === 'confirmed') void refresh()
      }),
    [keybay, refresh],
  )
  return { ...rest, refresh, accounts: data }
}
