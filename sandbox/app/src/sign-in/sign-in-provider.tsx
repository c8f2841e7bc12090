/** Renders the page's one sign-in dialog and lets any component open it. */
import { useKeybay } from '@keybay/react'
import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from 'react'
import { Button } from '../design/button.js'
import { SignInDialog } from './sign-in-dialog.js'

/** Methods that the dialog offers: all, or one kind for a signed-in user who adds it. */
export type SignInOffer = 'all' | 'email' | 'phone' | 'wallet' | 'social'

/** @param onSignedIn called when the dialog closes because the user has signed in */
type OpenSignIn = (offer?: SignInOffer, onSignedIn?: () => void) => void

const Open = createContext<OpenSignIn>(() => {})

/** @returns a function that opens the sign-in dialog */
export function useOpenSignIn(): OpenSignIn {
  return useContext(Open)
}

export function SignInButton({ children = 'Sign in' }: { readonly children?: string }) {
  const open = useOpenSignIn()
  return <Button kind="primary" text={children} onClick={() => open()} />
}

export function SignInProvider({ children }: { readonly children: ReactNode }) {
  const [offer, setOffer] = useState<SignInOffer>()
  const { session } = useKeybay()
  const next = useRef<(() => void) | undefined>(undefined)
  const open: OpenSignIn = useCallback((nextOffer = 'all', onSignedIn) => {
    next.current = onSignedIn
    setOffer(nextOffer)
  }, [])
  const close = useCallback(() => {
    setOffer(undefined)
    if (session.current.status === 'authenticated') next.current?.()
    next.current = undefined
  }, [session])
  return (
    <Open value={open}>
      {children}
      <SignInDialog offer={offer} onClose={close} />
    </Open>
  )
}
