/** The one sign-in dialog of the page, and how anything on the page opens it. */
import { createContext, type ReactElement, type ReactNode, useCallback, useContext, useState } from 'react'
import { SignInDialog } from './sign-in-dialog.js'

/** What the dialog offers: every way in, or one kind when somebody who is signed in adds it. */
export type SignInOffer = 'all' | 'email' | 'phone' | 'wallet' | 'social'

const Open = createContext<(offer?: SignInOffer) => void>(() => {})

/** @returns opens the sign-in dialog */
export function useOpenSignIn(): (offer?: SignInOffer) => void {
  return useContext(Open)
}

export function SignInProvider({ children }: { readonly children: ReactNode }): ReactElement {
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
