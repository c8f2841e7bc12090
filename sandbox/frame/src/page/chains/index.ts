/** Accounts of other chains, which the page loads with the first EVM or Bitcoin account. Start at `evm/sign.ts`. */
import { type Chain, KeybayError, unsupportedChain } from '@keybay/kernel/spec'
import { taprootAddress } from '@keybay/waas/btc'
import { evmAddress } from '@keybay/waas/evm'
import { enableSecp256k1, groupKey } from '@keybay/waas/mpc'
import type { ChainKit } from '../core/chain-kit.js'
import { signPsbt } from './btc/sign.js'
import { signEvmMessage, signEvmTransaction, signTypedData } from './evm/sign.js'

/** Rejects Bitcoin accounts, which sign only transactions. */
function onlyEvm(chain: Chain): void {
  if (chain !== 'EVM') throw new KeybayError(unsupportedChain)
}

/** @example const loadChains = async () => openChains() */
export function openChains(): ChainKit {
  enableSecp256k1()
  return {
    addressOf: (chain, set) => (chain === 'EVM' ? evmAddress(groupKey(set)) : taprootAddress(set)),
    async signMessage(job, payload) {
      onlyEvm(payload.chainName)
      return signEvmMessage(job, payload)
    },
    signTransaction: (job, payload) => (payload.chainName === 'EVM' ? signEvmTransaction : signPsbt)(job, payload),
    async signTypedData(job, payload) {
      onlyEvm(payload.chainName)
      return signTypedData(job, payload)
    },
  }
}
