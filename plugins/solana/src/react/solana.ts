import { KeybayError, pluginMissing } from '@keybay/kernel'
import { useKeybay } from '@keybay/react'
import type { SolanaApi } from '../api.js'

function hasSolana(keybay: object): keybay is { readonly solana: SolanaApi } {
  return 'solana' in keybay
}
/** @throws KeybayError `plugin_missing` if the instance has no `solana()` plugin */
export function useSolana(): SolanaApi {
  const keybay: object = useKeybay()
  if (!hasSolana(keybay))
    throw new KeybayError(pluginMissing, { detail: "add solana() of '@keybay/solana' to plugins" })
  return keybay.solana
}
