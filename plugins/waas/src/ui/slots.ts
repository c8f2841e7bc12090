import type { ReactNode } from 'react'

/** A place in your app that a view leads to. */
export interface WalletLink {
  /** `backup`: other places for the backup. `verify`: the check of a backup. `restore`: the way back from a backup. */
  readonly to: 'backup' | 'verify' | 'restore'
  /** Text of the link. */
  readonly text: string
  /** Address of the wallet. */
  readonly address: string
}

/** Content of the host inside of the views. */
export interface WalletSlots {
  /** Renders a link to your page. Without it the views have no link. */
  link?(link: WalletLink): ReactNode
}
