import { noteVersion, type Registered } from '@keybay/kernel'
import { createContext, type ReactNode, useContext } from 'react'
import { VERSION } from './version.js'

const Context = createContext<Registered | undefined>(undefined)

export interface KeybayProviderProps {
  readonly keybay: Registered
  readonly children?: ReactNode
}
/**
 * Provides the instance to the hooks below it. The host owns the instance: unmounting does not dispose it, so StrictMode's
 * double mount is harmless.
 *
 * @example <KeybayProvider keybay={keybay}><App /></KeybayProvider>
 */
export function KeybayProvider({ keybay, children }: KeybayProviderProps): ReactNode {
  noteVersion('@keybay/react', VERSION)
  return <Context.Provider value={keybay}>{children}</Context.Provider>
}

/**
 * Returns the host's instance with its plugins' APIs, typed by
 * `declare module '@keybay/kernel' { interface Register { keybay: typeof keybay } }`.
 *
 * @example const { connectors } = useKeybay()
 * @throws Error without a provider
 */
export function useKeybay(): Registered {
  const keybay = useContext(Context)
  if (!keybay) throw new Error('No <KeybayProvider> above')
  return keybay
}
