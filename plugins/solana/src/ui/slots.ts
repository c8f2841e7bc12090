import type { FailureProps } from '@keybay/react/ui'
import { type Context, createContext, type ReactNode, useContext } from 'react'

export interface TokenName {
  /** e.g. `USDC` */
  readonly symbol: string
  /** e.g. `USD Coin` */
  readonly name?: string
}

/** Content of the host inside of the views. */
export interface PanelSlots {
  /** Returns the name of a token that you know. Others show by their address, because names on the chain are not verified. */
  token?(mint: string): TokenName | undefined
  /** Renders a link to a transaction in your explorer. Without it there is none. */
  transaction?(link: { readonly signature: string; readonly text: ReactNode }): ReactNode
  /** Renders a QR code. */
  qr?(code: { readonly text: string; readonly label: string }): ReactNode
  /** In the place of content that could not be loaded. Without it, a notice with a button that tries again. */
  failure?(view: FailureProps): ReactNode
  /** Beside the button that copies the address, e.g. a faucet. */
  receive?(address: string): ReactNode
  /** Beside the title of the tokens, e.g. a faucet. `reload` reads them again. */
  tokens?(view: { readonly address: string; reload(): void }): ReactNode
  /** Renders a link to a page that sends a token, e.g. one with `SendView`. Without it there is none. */
  sendToken?(link: { readonly mint: string; readonly text: string; readonly label: string }): ReactNode
  /** Around the address, e.g. `BackupGate` of `@keybay/waas/ui`. */
  gate?(gate: { readonly address: string; readonly children: ReactNode }): ReactNode
}

export const Slots: Context<PanelSlots> = createContext<PanelSlots>({})

export function useSlots(): PanelSlots {
  return useContext(Slots)
}
