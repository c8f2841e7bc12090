/** Wallet brands that the phone can show. As in reality, they differ only in names. */
import type { WalletIcon } from '@wallet-standard/base'

export interface Brand {
  readonly key: 'phantom' | 'solflare'
  readonly name: string
  readonly icon: WalletIcon
}

function icon(colour: string): WalletIcon {
  return `data:image/svg+xml;base64,${btoa(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="16" fill="${colour}"/><circle cx="32" cy="32" r="14" fill="#fff"/></svg>`)}`
}

export const BRANDS: readonly Brand[] = [
  { key: 'phantom', name: 'Phantom', icon: icon('#663399') },
  { key: 'solflare', name: 'Solflare', icon: icon('#ee6622') },
]
