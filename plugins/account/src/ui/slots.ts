import { type Context, createContext, type ReactNode, useContext } from 'react'
import type { SecuritySlots } from './security-panel.js'
import type { SignInOffer } from './sign-in-dialog.js'

/** Content of the host inside of the dialog. */
export interface SignInSlots {
  /** Below the ways to sign in, e.g. terms, or help for a lost device. */
  footer?(view: { readonly offer: SignInOffer; close(): void }): ReactNode
  /** Below the field of a code. @param sentTo address or number, if the prompt names it */
  codeHint?(sentTo: string | undefined): ReactNode
}
export interface ViewSlots extends SignInSlots, SecuritySlots {
  onDeleted?(): void
}

export const Slots: Context<ViewSlots> = createContext<ViewSlots>({})

export function useSlots(): ViewSlots {
  return useContext(Slots)
}
