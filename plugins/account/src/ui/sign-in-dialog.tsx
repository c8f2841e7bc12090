import { usePrompts, useSession } from '@keybay/react'
import { lazyView, UnknownPromptDialog, useShowsPrompts } from '@keybay/react/ui'
import { type ReactElement, useState } from 'react'
import type { HostToken } from './host-token.js'
import { type SignInSlots, Slots } from './slots.js'
import { PROMPT_TYPES } from './views.js'

/** Methods that the dialog offers: all, or one kind for a signed-in user who adds it. */
export type SignInOffer = 'all' | 'email' | 'phone' | 'wallet' | 'social'

export interface SignInDialogProps {
  /** Opens the dialog with these methods. Undefined while the user did not ask for it; a prompt still opens it. */
  readonly offer?: SignInOffer | undefined
  /** Called when the user closed it, or is signed in. */
  onClose(): void
  /** Adds a sign-in with a token that your server issues. */
  readonly hostToken?: HostToken | undefined
  readonly slots?: SignInSlots | undefined
}

const Dialog = lazyView<SignInDialogProps>(async () => (await import('./dialog.js')).Dialog)
const NO_SLOTS: SignInSlots = {}

/** Loads the dialog's code ahead of time, e.g. when the pointer is over the button that opens it. */
export function preloadSignIn(): void {
  void Dialog.preload()
}

/**
 * Everything about identity in one dialog: the ways to sign in or to add one, the chosen way, and every prompt of
 * accounts (codes, second factors, merging), whichever component asked. Render it once. Its code loads when it is first
 * needed. Needs `@keybay/react/ui.css`.
 *
 * @example
 * const [offer, setOffer] = useState<SignInOffer>()
 * return <>
 *   <button onClick={() => setOffer('all')}>Sign in</button>
 *   <SignInDialog offer={offer} onClose={() => setOffer(undefined)} />
 * </>
 */
export function SignInDialog(props: SignInDialogProps): ReactElement {
  const { status } = useSession()
  const isAsked = usePrompts().length > 0
  const [isNeeded, setNeeded] = useState(false)
  useShowsPrompts(PROMPT_TYPES)
  if (!isNeeded && (props.offer !== undefined || isAsked || status === 'verification')) setNeeded(true)
  return (
    <Slots.Provider value={props.slots ?? NO_SLOTS}>
      {isNeeded && <Dialog {...props} />}
      <UnknownPromptDialog />
    </Slots.Provider>
  )
}
