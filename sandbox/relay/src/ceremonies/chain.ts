/** Chain of a wallet: determines its curve and its address format. */
import { taprootAddress } from '@keybay/waas/btc'
import { evmAddress } from '@keybay/waas/evm'
import { type Curve, groupKey, type ShareSet } from '@keybay/waas/mpc'
import bs58 from 'bs58'
import * as v from 'valibot'

export const chainName = v.picklist(['SOL', 'EVM', 'BTC'])
export type WalletChain = v.InferOutput<typeof chainName>

export function getCurve(chain: WalletChain): Curve {
  return chain === 'SOL' ? 'ed25519' : 'secp256k1'
}

export function addressOf(chain: WalletChain, set: ShareSet): string {
  if (chain === 'BTC') return taprootAddress(set)
  return chain === 'SOL' ? bs58.encode(groupKey(set)) : evmAddress(groupKey(set))
}

/** Returns the chain of an existing set by its curve and, on secp256k1, by the form of its address. */
export function chainOf({ curve }: Pick<ShareSet, 'curve'>, address: string): WalletChain {
  return curve === 'ed25519' ? 'SOL' : address.startsWith('0x') ? 'EVM' : 'BTC'
}
