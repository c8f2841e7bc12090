'use client'

/** Accessible UI over the hooks; every part needs `@keybay/react/ui.css`. Start with `ConnectDialog`. */
export { AccountButton } from './account-button.js'
export { ConnectDialog, type ConnectDialogProps } from './connect-dialog.js'
export { Icon, type IconProps } from './icon.js'
export { Modal, type ModalProps } from './modal.js'
export { PromptDialog, type PromptViewProps, type PromptViews } from './prompt-dialog.js'
