import { type Core, KeybayError, pluginMissing } from '@keybay/kernel'
import { useKeybay } from '@keybay/react'
import type { WaasApi } from '../client/api.js'

/** A Keybay instance with the plugin `waas()`. */
export type WithWaas = Pick<Core, 'session' | 'on'> & { readonly waas: WaasApi }

function hasWaas(keybay: Pick<Core, 'session' | 'on'>): keybay is WithWaas {
  return 'waas' in keybay
}

/** @throws KeybayError `plugin_missing` if the instance has no plugin `waas()` */
export function useInstance(): WithWaas {
  const keybay = useKeybay()
  if (!hasWaas(keybay)) throw new KeybayError(pluginMissing, { detail: "add waas() of '@keybay/waas' to plugins" })
  return keybay
}
