import { isKeybayError } from '@keybay/kernel'
import { useKeybay } from '@keybay/react'
import { useCallback } from 'react'
import { useCurrentNetwork } from '../chain/use-current-network.js'
import { type Loaded, useLoaded } from '../chain/use-loaded.js'

/** Too little money or not: the error of a fee that is known holds it. */
const feeOf = (error: unknown): bigint | undefined => {
  const { details } = isKeybayError(error) ? error : { details: undefined }
  return typeof details === 'object' && details !== null && 'fee' in details && typeof details.fee === 'bigint'
    ? details.fee
    : undefined
}

/**
 * What the transfer would cost, lamports: the transaction is built and the chain asked, nothing is signed.
 * Undefined while there is not enough to build it.
 */
export const useFee = (
  from: string,
  to: string | undefined,
  lamports: bigint | undefined,
): Loaded<bigint | undefined> => {
  const { solana } = useKeybay()
  const { networkId } = useCurrentNetwork()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another network has another fee
  const load = useCallback(
    async (signal: AbortSignal) => {
      if (to === undefined || lamports === undefined) return undefined
      const { build, fee } = await solana.steps()
      const built = await build({ from, to, lamports }, { signal })
      try {
        return (await fee(built, { signal })).fee
      } catch (error) {
        const known = feeOf(error)
        if (known === undefined) throw error
        return known
      }
    },
    [solana, networkId, from, to, lamports],
  )
  return useLoaded(load)
}
