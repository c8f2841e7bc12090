'use client'

/** Views of accounts; they need `@keybay/react/ui.css`. Start with `SignInDialog` and `SecurityPanel`. */
export type { HostToken } from './host-token.js'
export { credentialName, embeddedWallets, signInMethods, userName } from './names.js'
export { DeletionNotice, ProfileCard } from './profile.js'
export { SecurityPanel, type SecurityPanelProps, type SecuritySlots } from './security-panel.js'
export { preloadSignIn, SignInDialog, type SignInDialogProps, type SignInOffer } from './sign-in-dialog.js'
export type { SignInSlots } from './slots.js'
