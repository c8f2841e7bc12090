import { type Core, KeybayError, pluginMissing } from '@keybay/kernel'
import { useKeybay } from '@keybay/react'
import type { TurnkeyApi } from '../api.js'

export type WithTurnkey = Pick<Core, 'session' | 'on'> & { readonly turnkey: TurnkeyApi }

function hasTurnkey(keybay: Pick<Core, 'session' | 'on'>): keybay is WithTurnkey {
  return 'turnkey' in keybay
}
/** @throws KeybayError `plugin_missing` if the instance has no `turnkey()` plugin */
export function useInstance(): WithTurnkey {
  const keybay = useKeybay()
  if (!hasTurnkey(keybay))
    throw new KeybayError(pluginMissing, { detail: "add turnkey() of '@keybay/turnkey' to plugins" })
  return keybay
}
