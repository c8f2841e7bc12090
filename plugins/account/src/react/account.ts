import { KeybayError, pluginMissing } from '@keybay/kernel'
import { useKeybay } from '@keybay/react'
import type { AccountApi } from '../api.js'

function hasAccount(keybay: object): keybay is { readonly account: AccountApi } {
  return 'account' in keybay
}

/** @throws KeybayError `plugin_missing` if the instance has no `account()` plugin */
export function useAccount(): AccountApi {
  const keybay: object = useKeybay()
  if (!hasAccount(keybay))
    throw new KeybayError(pluginMissing, { detail: "add account() of '@keybay/account' to plugins" })
  return keybay.account
}
