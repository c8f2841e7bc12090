import { KeybayError, pluginMissing } from '@keybay/kernel'
import { useKeybay } from '@keybay/react'
import type { SolanaApi } from '../api.js'

const hasSolana = (keybay: object): keybay is { readonly solana: SolanaApi } => 'solana' in keybay

/** @throws KeybayError `plugin_missing` when the instance was made without `solana()` */
export const useSolana = (): SolanaApi => {
  const keybay: object = useKeybay()
  if (!hasSolana(keybay))
    throw new KeybayError(pluginMissing, { detail: "add solana() of '@keybay/solana' to plugins" })
  return keybay.solana
}
