/** Renders the page's one connect dialog and lets any component open it. */
import { ConnectDialog } from '@keybay/react/ui'
import { createContext, type ReactElement, type ReactNode, useCallback, useContext, useState } from 'react'
import { useLostFocus } from '../design/use-lost-focus.js'
import { OnPhone } from '../phone/on-phone.js'
import { ChainHealthProvider } from '../shell/chain-health.js'

/** Signing in has its own dialog. */
const WALLETS = { kind: 'wallet' } as const
const Open = createContext<() => void>(() => {})

/** @returns a function that opens the connect dialog */
export function useOpenConnect(): () => void {
  return useContext(Open)
}

export function ConnectProvider({ children }: { readonly children: ReactNode }): ReactElement {
  const [isOpen, setOpen] = useState(false)
  useLostFocus(isOpen)
  const close = useCallback(() => setOpen(false), [])
  return (
    <Open value={() => setOpen(true)}>
      <ChainHealthProvider>{children}</ChainHealthProvider>
      <ConnectDialog open={isOpen} onClose={close} filter={WALLETS} title="Connect a wallet">
        <OnPhone />
      </ConnectDialog>
    </Open>
  )
}
