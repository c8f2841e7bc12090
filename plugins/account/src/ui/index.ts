'use client'

/** Views of accounts; they need `@keybay/react/ui.css`. Start with `SignInDialog`. */
export { CodeField, type CodeFieldProps } from './code-field.js'
export type { HostToken } from './host-token.js'
export { preloadSignIn, SignInDialog, type SignInDialogProps, type SignInOffer } from './sign-in-dialog.js'
export type { SignInSlots } from './slots.js'
