import { KeybayError, noEnabledNetworks } from '@keybay/kernel/spec'
import type { NetworkSummary } from '../networks.js'
import { useNetwork } from '../react/network.js'
import { getNetworkName } from './network-name.js'

/** Returns the network in use with its name. @throws KeybayError `no_enabled_networks` */
export function useCurrentNetwork(): NetworkSummary {
  const { network } = useNetwork()
  if (!network) throw new KeybayError(noEnabledNetworks)
  return { ...network, name: getNetworkName(network) }
}
