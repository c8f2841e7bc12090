import { lazyView, useRoot } from '@keybay/react/ui'
import { type ReactElement, type ReactNode, useMemo } from 'react'
import type { User } from '../user.js'
import type { SignInOffer } from './sign-in-dialog.js'
import { Slots, type ViewSlots } from './slots.js'

/** Content of the host inside of the panel. */
export interface SecuritySlots {
  /** Draws a QR code. Without it, the user types the key of an authenticator app. */
  qrCode?(text: string, label: string): ReactNode
  /** Below a sentence that says that a code was sent by email. */
  codeHint?(sentTo: string | undefined): ReactNode
  /** Above the confirmation of a deletion: what the user loses in your app, e.g. wallets, with links to save it. */
  losses?(user: User): ReactNode
}

export interface SecurityPanelProps {
  /**
   * First level that shows; the user may change it. `simple`: ways to sign in, passkeys and two-step sign-in. `advanced`: also
   * sessions, the security log, the user's data and the deletion of the account. Default: `simple`.
   */
  readonly level?: 'simple' | 'advanced'
  /** Called when the user adds a way to sign in: open `SignInDialog` with this offer. */
  onAdd(offer: SignInOffer): void
  /** Called when the account is scheduled for deletion, and the user is signed out. */
  onDeleted?(): void
  readonly slots?: SecuritySlots
}

const Cards = lazyView<Pick<SecurityPanelProps, 'level' | 'onAdd'>>(async () => (await import('./cards.js')).Cards)

/**
 * How the signed-in user signs in, what protects the account, and where the user is signed in. Renders nothing while no user
 * is signed in. Its code loads when it is first shown. Needs `@keybay/react/ui.css`, and `SignInDialog` on the page.
 *
 * @example <SecurityPanel onAdd={setOffer} />
 */
export function SecurityPanel({ level = 'simple', onAdd, onDeleted, slots }: SecurityPanelProps): ReactElement {
  const root = useRoot('keybay-stack')
  const value = useMemo<ViewSlots>(() => ({ ...slots, ...(onDeleted && { onDeleted }) }), [slots, onDeleted])
  return (
    <Slots.Provider value={value}>
      <div {...root}>
        <Cards level={level} onAdd={onAdd} />
      </div>
    </Slots.Provider>
  )
}
