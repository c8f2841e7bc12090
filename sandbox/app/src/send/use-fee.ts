import { useKeybay } from '@keybay/react'
import { useNetwork } from '@keybay/solana/react'
import { useCallback } from 'react'
import { type Loaded, useLoaded } from '../chain/use-loaded.js'

/**
 * What the transfer would cost, lamports: the transaction is built and the chain asked, nothing is signed.
 * Undefined while there is not enough to build it.
 */
export const useFee = (from: string, to: string | undefined, lamports: bigint | undefined): Loaded<bigint | undefined> => {
  const keybay = useKeybay()
  const { networkId } = useNetwork().network
  // biome-ignore lint/correctness/useExhaustiveDependencies: another network has another fee
  const load = useCallback(
    async (signal: AbortSignal) => {
      if (to === undefined || lamports === undefined) return undefined
      return keybay.solana.fee(await keybay.solana.build({ from, to, lamports }, { signal }), { signal })
    },
    [keybay, networkId, from, to, lamports],
  )
  return useLoaded(load)
}
