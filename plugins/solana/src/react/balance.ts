import { type KeybayError, toKeybayError } from '@keybay/kernel'
import { useActiveAccount } from '@keybay/react'
import { useCallback, useEffect, useState } from 'react'
import type { Loaded } from './loaded.js'
import { useNetwork } from './network.js'
import { useSolana } from './solana.js'

/** `idle`: no address. */
export interface UseBalance extends Omit<Loaded<bigint>, 'data'> {
  /** Balance in lamports; the last known value stays during an error. */
  readonly balance: bigint | undefined
}
interface Seen {
  /** Address and network of the balance. */
  readonly of: string
  readonly balance?: bigint
  readonly error?: KeybayError | undefined
}
/**
 * Returns the live balance of an address, or of the active Solana account, on the current network.
 * @example const { balance } = useBalance() // 1500000000n
 */
export function useBalance(address?: string): UseBalance {
  const solana = useSolana()
  const { account } = useActiveAccount('solana')
  const { network } = useNetwork()
  const owner = address ?? account?.address
  // Never shows a balance of another address or network.
  const of = `${network?.networkId}|${owner}`
  const [state, setState] = useState<Seen>({ of })
  const shown: Seen = state.of === of ? state : { of }

  const show = useCallback((balance: bigint) => setState({ of, balance }), [of])
  const failed = useCallback(
    (error: KeybayError) => setState(last => (last.of === of ? { ...last, error } : { of, error })),
    [of],
  )
  useEffect(
    () => (owner === undefined ? undefined : solana.watchBalance(owner, show, failed)),
    [solana, owner, show, failed],
  )
  const refresh = useCallback(async () => {
    if (owner === undefined) return
    await solana.getBalance(owner).then(show, error => failed(toKeybayError(error)))
  }, [solana, owner, show, failed])

  const { balance, error } = shown
  const status = owner === undefined ? 'idle' : error ? 'error' : balance === undefined ? 'loading' : 'success'
  return { balance, status, error, refresh }
}
