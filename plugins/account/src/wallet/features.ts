/** `solana:signIn` of the Wallet Standard, for the kernel's list of features. Types only. */
import type { Connection } from '@keybay/kernel'

export type WalletAccount = Connection['accounts'][number]

export interface SolanaSignIn {
  readonly version: string
  signIn(
    ...inputs: readonly {
      readonly domain?: string
      readonly address?: string
      readonly statement?: string
      readonly uri?: string
      readonly version?: string
      readonly chainId?: string
      readonly nonce?: string
      readonly issuedAt?: string
    }[]
  ): Promise<
    readonly { readonly account: WalletAccount; readonly signedMessage: Uint8Array; readonly signature: Uint8Array }[]
  >
}

declare module '@keybay/kernel' {
  interface WalletFeatures {
    'solana:signIn': SolanaSignIn
  }
}
