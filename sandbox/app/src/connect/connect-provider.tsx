/** Renders the page's one connect dialog and lets any component open it. */
import { useConnect } from '@keybay/react'
import { ConnectDialog } from '@keybay/react/ui'
import { createContext, type ReactNode, useCallback, useContext, useState } from 'react'
import { ChainHealthProvider } from '../chain/chain-health.js'
import { Button, Empty, Offer, Problem, useLostFocus } from '../design/index.js'
import { OnPhone } from '../phone/phone-card.js'

/** Signing in has its own dialog. */
const WALLETS = { kind: 'wallet' } as const
const Open = createContext<() => void>(() => {})

/** @returns a function that opens the connect dialog */
export function useOpenConnect(): () => void {
  return useContext(Open)
}

export function ConnectProvider({ children }: { readonly children: ReactNode }) {
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

/** @param isQuiet beside something that matters more */
export function ConnectButton({ isQuiet = false }: { readonly isQuiet?: boolean }) {
  const open = useOpenConnect()
  return (
    <button type="button" className={isQuiet ? 'button connect-quiet' : 'button button-primary'} onClick={open}>
      <span>
        Connect<span className="connect-what"> wallet</span>
      </span>
    </button>
  )
}

/** In the place of a page that is nothing without an account. @param to what the user wants, e.g. `send` */
export function NeedsAccount({ to }: { readonly to: string }) {
  return (
    <section className="card">
      <Empty icon="wallet" title={`Connect a wallet to ${to}`} action={<ConnectButton />}>
        Your keys stay in your wallet. This app only sees your address, and asks before anything is signed.
      </Empty>
    </section>
  )
}

interface UseHereProps {
  readonly connector: 'turnkey' | 'waas'
  readonly says: string
  readonly action: string
  readonly failed: string
}
/** Lets the user connect a wallet of their account to this page. */
export function UseHere({ connector, says, action, failed }: UseHereProps) {
  const { status, error, run } = useConnect(connector)
  const start = () => run(connector)
  return (
    <div className="stack-tight">
      <Offer says={says}>
        <Button kind="primary" small text={action} busy={status === 'pending'} onClick={start} />
      </Offer>
      <Problem title={failed} error={error} />
    </div>
  )
}
