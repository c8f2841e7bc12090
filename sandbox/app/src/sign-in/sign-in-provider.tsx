/** Renders the page's one sign-in dialog and lets any component open it. */
import { preloadSignIn, SignInDialog, type SignInOffer, type SignInSlots } from '@keybay/account/ui'
import { useKeybay, useSession } from '@keybay/react'
import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from 'react'
import { Button, lazyView } from '../design/index.js'
import { navigate } from '../routing/router.js'

/** @param onSignedIn called when the dialog closes because the user has signed in */
type OpenSignIn = (offer?: SignInOffer, onSignedIn?: () => void) => void

const InboxLink = lazyView<{ readonly to?: string | undefined }>(
  async () => (await import('../inbox-link.js')).InboxLink,
)
const Open = createContext<OpenSignIn>(() => {})

/** @returns a function that opens the sign-in dialog */
export function useOpenSignIn(): OpenSignIn {
  return useContext(Open)
}

export function SignInButton({ children = 'Sign in' }: { readonly children?: string }) {
  const open = useOpenSignIn()
  return (
    <Button
      kind="primary"
      text={children}
      onPointerEnter={preloadSignIn}
      onFocus={preloadSignIn}
      onClick={() => open()}
    />
  )
}

function LostDevice({ close }: { close(): void }) {
  const { status } = useSession()
  if (status === 'authenticated') return null
  const leave = () => {
    navigate('/lost-device')
    close()
  }
  return (
    <p>
      <Button small kind="quiet" text="I lost my device" onClick={leave} />
    </p>
  )
}

const slots: SignInSlots = {
  codeHint: sentTo => <InboxLink to={sentTo} />,
  footer: ({ offer, close }) => (
    <>
      {offer === 'all' && <LostDevice close={close} />}
      {offer !== 'wallet' && offer !== 'social' && <InboxLink />}
    </>
  ),
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
      <SignInDialog offer={offer} onClose={close} slots={slots} />
    </Open>
  )
}
