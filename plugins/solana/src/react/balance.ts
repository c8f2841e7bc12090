import { type KeybayError, toKeybayError } from '@keybay/kernel'
import { useActiveAccount } from '@keybay/react'
import { useCallback, useEffect, useState } from 'react'
import { useNetwork } from './network.js'
import { useSolana } from './solana.js'

export interface UseBalance {
  /** lamports; the last known one stays while an error is shown. */
  readonly balance: bigint | undefined
  /** `idle`: no address. */
  readonly status: 'idle' | 'loading' | 'success' | 'error'
  readonly error: KeybayError | undefined
  /** Looks once more now. Never rejects. */
  readonly refresh: () => Promise<void>
}
interface Seen {
  /** Whose balance, on which network. */
  readonly of: string
  readonly balance?: bigint
  readonly error?: KeybayError | undefined
}

/**
 * A balance that stays true, of an address or of the active Solana account, on the network in use.
 *
 * @example const { balance } = useBalance() // 1500000000n
 */
export function useBalance(address?: string): UseBalance {
  const solana = useSolana()
  const { account } = useActiveAccount('solana')
  const { network } = useNetwork()
  const owner = address ?? account?.address
  // What was seen for another address or network is not shown for this one.
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
