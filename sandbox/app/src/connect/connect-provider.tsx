/** Renders the page's one connect dialog and lets any component open it. */
import type { Account, Connector } from '@keybay/kernel'
import { useAccounts, useActiveAccount, useConnect, useConnection, useKeybay } from '@keybay/react'
import { ConnectDialog } from '@keybay/react/ui'
import { createContext, lazy, type ReactNode, Suspense, useCallback, useContext, useState } from 'react'
import { ChainHealthProvider } from '../chain/chain-health.js'
import { Button, Empty, Offer, Problem, useLostFocus } from '../design/index.js'
import { navigate } from '../routing/router.js'
import { useOpenSignIn } from '../sign-in/sign-in-provider.js'

const OnPhone = lazy(async () => ({ default: (await import('../phone/on-phone.js')).OnPhone }))
/** Signing in has its own dialog. */
const WALLETS = { kind: 'wallet' } as const
/** Wallets that the user makes, or brings to this browser, on a page of the app. */
const SET_UP = { waas: () => navigate('/wallets'), turnkey: () => navigate('/custody') }
const Open = createContext<() => void>(() => {})

/** @returns a function that opens the connect dialog */
export function useOpenConnect(): () => void {
  return useContext(Open)
}

export function ConnectProvider({ children }: { readonly children: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  const { run } = useConnect()
  const openSignIn = useOpenSignIn()
  useLostFocus(isOpen)
  const signIn = useCallback(({ id }: Connector) => openSignIn('all', () => run(id)), [openSignIn, run])
  const close = useCallback(() => setOpen(false), [])
  return (
    <Open value={() => setOpen(true)}>
      <ChainHealthProvider>{children}</ChainHealthProvider>
      <ConnectDialog
        open={isOpen}
        onClose={close}
        filter={WALLETS}
        title="Connect a wallet"
        onSignIn={signIn}
        setUp={SET_UP}
      >
        {/* What appears below the list moves the rows that a user is about to click: keep its place. */}
        <Suspense fallback={<div className="on-phone on-phone-loading" />}>
          <OnPhone />
        </Suspense>
      </ConnectDialog>
    </Open>
  )
}

/** @param isQuiet beside something that matters more */
export function ConnectButton({ isQuiet = false }: { readonly isQuiet?: boolean }) {
  const open = useOpenConnect()
  return (
    <button
      type="button"
      className={isQuiet ? 'keybay-button connect-quiet' : 'keybay-button keybay-button-primary'}
      onClick={open}
    >
      <span>
        Connect<span className="connect-what"> wallet</span>
      </span>
    </button>
  )
}

/** In the place of a page that is nothing without an account. @param to what the user wants, e.g. `send` */
export function NeedsAccount({ to }: { readonly to: string }) {
  return (
    <section className="keybay-card">
      <Empty icon="wallet" title={`Connect a wallet to ${to}`} action={<ConnectButton />}>
        Your keys stay in your wallet. This app only sees your address, and asks before anything is signed.
      </Empty>
    </section>
  )
}

type AccountWallet = 'turnkey' | 'waas'

function isSolanaOf(connector: AccountWallet) {
  return ({ connectorId, chains }: Account) =>
    connectorId === connector && chains.some(chain => chain.startsWith('solana:'))
}

/** Checks whether the wallet is connected and, if it has a Solana account, whether one of its accounts is in use. */
export function useIsInUse(connector: AccountWallet): boolean {
  const isConnected = useConnection(connector) !== undefined
  const hasAccount = useAccounts().some(isSolanaOf(connector))
  const { account } = useActiveAccount()
  return isConnected && (!hasAccount || account?.connectorId === connector)
}

interface UseHereProps {
  readonly connector: AccountWallet
  readonly says: string
  readonly action: string
  readonly failed: string
}
/** Lets the user connect a wallet of their account to this page, and makes its account the one in use. */
export function UseHere({ connector, says, action, failed }: UseHereProps) {
  const { accounts } = useKeybay()
  const isConnected = useConnection(connector) !== undefined
  const { status, error, runAsync } = useConnect(connector)
  const activate = () => {
    const account = accounts.list().find(isSolanaOf(connector))
    if (account) accounts.setActive(account.key)
  }
  const start = () => {
    if (isConnected) activate()
    else runAsync(connector).then(activate, () => {}) // the attempt shows the error
  }
  return (
    <div className="stack-tight">
      <Offer says={isConnected ? 'Another wallet is in use in this app.' : says}>
        <Button kind="primary" small text={action} busy={status === 'pending'} onClick={start} />
      </Offer>
      <Problem title={failed} error={error} />
    </div>
  )
}
