/** Renders the page's one sign-in dialog and lets any component open it. */
import { createContext, type ReactNode, useCallback, useContext, useState } from 'react'
import { Button } from '../design/button.js'
import { SignInDialog } from './sign-in-dialog.js'

/** Methods that the dialog offers: all, or one kind for a signed-in user who adds it. */
export type SignInOffer = 'all' | 'email' | 'phone' | 'wallet' | 'social'

const Open = createContext<(offer?: SignInOffer) => void>(() => {})

/** @returns a function that opens the sign-in dialog */
export function useOpenSignIn(): (offer?: SignInOffer) => void {
  return useContext(Open)
}

export function SignInButton({ children = 'Sign in' }: { readonly children?: string }) {
  const open = useOpenSignIn()
  return <Button kind="primary" text={children} onClick={() => open()} />
}

export function SignInProvider({ children }: { readonly children: ReactNode }) {
  const [offer, setOffer] = useState<SignInOffer>()
  const open = useCallback((next: SignInOffer = 'all') => setOffer(next), [])
  const close = useCallback(() => setOffer(undefined), [])
  return (
    <Open value={open}>
      {children}
      <SignInDialog offer={offer} onClose={close} />
    </Open>
  )
}
