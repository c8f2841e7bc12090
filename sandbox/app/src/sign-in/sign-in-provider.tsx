/** Renders the page's one sign-in dialog and lets any component open it. */
import { useKeybay, usePrompts, useSession } from '@keybay/react'
import { Button } from '@keybay/react/ui'
import { createContext, lazy, type ReactNode, Suspense, useCallback, useContext, useRef, useState } from 'react'

/** Methods that the dialog offers: all, or one kind for a signed-in user who adds it. */
export type SignInOffer = 'all' | 'email' | 'phone' | 'wallet' | 'social'

/** @param onSignedIn called when the dialog closes because the user has signed in */
type OpenSignIn = (offer?: SignInOffer, onSignedIn?: () => void) => void

function load() {
  return import('./sign-in-dialog.js')
}
const SignInDialog = lazy(async () => ({ default: (await load()).SignInDialog }))
const Open = createContext<OpenSignIn>(() => {})

/** @returns a function that opens the sign-in dialog */
export function useOpenSignIn(): OpenSignIn {
  return useContext(Open)
}

export function SignInButton({ children = 'Sign in' }: { readonly children?: string }) {
  const open = useOpenSignIn()
  const preload = () => void load().catch(() => {}) // the dialog shows the failure
  return <Button kind="primary" text={children} onPointerEnter={preload} onFocus={preload} onClick={() => open()} />
}

interface DialogProps {
  readonly offer: SignInOffer | undefined
  onClose(): void
}
/** Loads the dialog when the user opens it, or when something asks the user. From then on it stays. */
function LazyDialog(props: DialogProps) {
  const { status } = useSession()
  const isAsked = usePrompts().length > 0
  const [isNeeded, setNeeded] = useState(false)
  if (!isNeeded && (props.offer !== undefined || isAsked || status === 'verification')) setNeeded(true)
  return <Suspense>{isNeeded && <SignInDialog {...props} />}</Suspense>
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
      <LazyDialog offer={offer} onClose={close} />
    </Open>
  )
}
