import { type KeybayError, toKeybayError } from '@keybay/kernel'
import { useActiveAccount } from '@keybay/react'
import { useCallback, useEffect, useState } from 'react'
import { useNetwork } from './network.js'
import { useSolana } from './solana.js'

export interface UseBalance {
  /** Balance in lamports; the last known value stays during an error. */
  readonly balance: bigint | undefined
  /** `idle`: no address. */
  readonly status: 'idle' | 'loading' | 'success' | 'error'
  readonly error: KeybayError | undefined
  /** Fetches the balance now. Never rejects. */
  readonly refresh: () => Promise<void>
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

  const told = useCallback((balance: bigint) => setState({ of, balance }), [of])
  const failed = useCallback(
    (error: KeybayError) => setState(last => (last.of === of ? { ...last, error } : { of, error })),
    [of],
  )
  useEffect(
    () => (owner === undefined ? undefined : solana.watchBalance(owner, told, failed)),
    [solana, owner, told, failed],
  )
  const refresh = useCallback(async () => {
    if (owner === undefined) return
    await solana.getBalance(owner).then(told, error => failed(toKeybayError(error)))
  }, [solana, owner, told, failed])

  const { balance, error } = shown
  const status = owner === undefined ? 'idle' : error ? 'error' : balance === undefined ? 'loading' : 'success'
  return { balance, status, error, refresh }
}
