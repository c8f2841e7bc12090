/** Chains of embedded wallets and how a key of each one signs, shown before the user chooses. */
import type { AccountChain, WaasWallet } from '@keybay/waas'

export const chainNames: { readonly [C in AccountChain]: string } = { SOL: 'Solana', EVM: 'Ethereum', BTC: 'Bitcoin' }

export const chainSays = {
  SOL: 'Device and service sign together; the key is not put together for it.',
  EVM: 'The key is put together in the wallet frame for each signature, and erased. You are asked each time, and no rules can be set.',
  BTC: 'A taproot account: device and service sign together, and the key is not put together. You are asked each time, and no rules can be set.',
} as const
export const offeredChains: readonly (keyof typeof chainSays)[] = ['SOL', 'EVM', 'BTC']

export function chainOf({ chainName }: Pick<WaasWallet, 'chainName'>): AccountChain {
  return chainName === 'EVM' || chainName === 'BTC' ? chainName : 'SOL'
}
