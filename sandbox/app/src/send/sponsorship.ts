/** Detects whether this environment pays network fees, and lists networks that the product API optimizes for. */
import { SOLANA_MAINNET_ID } from '@keybay/kernel/spec'
import { useSession } from '@keybay/react'
import { useCallback } from 'react'
import { at, list, number } from '../chain/rpc.js'
import { useCurrentNetwork, useLoaded } from '../chain/use-loaded.js'
import { apiUrl, environmentId } from '../config.js'

/**
 * Networks whose transactions the plugin sends to the product API; the plugin reads the list for each transaction.
 * Holds mainnet, and another network only while its fee is to be sponsored: a user without a session would otherwise
 * make useless requests for every transfer.
 */
export const optimizedNetworks: number[] = [SOLANA_MAINNET_ID]

/** Call it before each transfer. */
export function askForSponsor(networkId: number, shouldSponsor: boolean): void {
  optimizedNetworks.splice(0, optimizedNetworks.length, SOLANA_MAINNET_ID, ...(shouldSponsor ? [networkId] : []))
}

async function loadSponsored(signal: AbortSignal): Promise<readonly number[]> {
  const response = await fetch(`${apiUrl}/sdk/${environmentId}/settings`, { signal })
  const settings: unknown = await response.json()
  if (at(settings, 'transactions', 'sponsored') !== true) return []
  return list(at(settings, 'networks')).flatMap(network => number(at(network, 'networkId')) ?? [])
}

export function useCanBeSponsored(): boolean {
  const { networkId } = useCurrentNetwork()
  const isKnown = useSession().status === 'authenticated'
  const load = useCallback(
    async (signal: AbortSignal): Promise<readonly number[]> => (isKnown ? loadSponsored(signal) : []),
    [isKnown],
  )
  return useLoaded(load).data?.includes(networkId) ?? false
}
