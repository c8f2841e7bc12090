/** Whether this environment pays network fees, and where the product API is asked to. */
import { useSession } from '@keybay/react'
import { useCallback } from 'react'
import { at, list, number } from '../chain/json.js'
import { useCurrentNetwork } from '../chain/use-current-network.js'
import { useLoaded } from '../chain/use-loaded.js'
import { apiUrl, environmentId } from '../config.js'

const MAINNET = 101

/**
 * The plugin's list of networks where the product API is asked to optimize, and it is read anew for each transaction: mainnet, and
 * another one while its fee is to be paid. Else each transfer of somebody without a session would ask for nothing.
 */
export const optimizedNetworks: number[] = [MAINNET]

/** Before each transfer. */
export function askForSponsor(networkId: number, wanted: boolean): void {
  optimizedNetworks.splice(0, optimizedNetworks.length, MAINNET, ...(wanted ? [networkId] : []))
}

async function loadSponsored(signal: AbortSignal): Promise<readonly number[]> {
  const response = await fetch(`${apiUrl}/sdk/${environmentId}/settings`, { signal })
  const settings: unknown = await response.json()
  if (at(settings, 'transactions', 'sponsored') !== true) return []
  return list(at(settings, 'networks')).flatMap(network => number(at(network, 'networkId')) ?? [])
}

/** Whether the user may have their fee paid on the network in use: who is known, and where the environment does it. */
export function useCanBeSponsored(): boolean {
  const { networkId } = useCurrentNetwork()
  const isKnown = useSession().status === 'authenticated'
  const load = useCallback(
    async (signal: AbortSignal): Promise<readonly number[]> => (isKnown ? loadSponsored(signal) : []),
    [isKnown],
  )
  return useLoaded(load).data?.includes(networkId) ?? false
}
