/** Hooks of the Acme plugin. They need `<KeybayProvider>` of `@keybay/react`. */
import { KeybayError, pluginMissing } from '@keybay/kernel'
import { type Action, useAction, useKeybay } from '@keybay/react'
import { useSyncExternalStore } from 'react'
import type { AcmeApi } from './index.js'

function hasAcme(keybay: object): keybay is { readonly acme: AcmeApi } {
  return 'acme' in keybay
}
function useAcme(): AcmeApi {
  const keybay: object = useKeybay()
  if (!hasAcme(keybay)) throw new KeybayError(pluginMissing, { detail: 'add acme() to plugins' })
  return keybay.acme
}
/** Returns whether the wallet is locked. */
export function useAcmeLocked(): boolean {
  const { locked } = useAcme()
  return useSyncExternalStore(locked.subscribe, locked.get, () => false)
}
/** @example const { run, status, error } = useLockAcme() */
export function useLockAcme(): Action<[], void> {
  const acme = useAcme()
  return useAction(() => acme.lock())
}
