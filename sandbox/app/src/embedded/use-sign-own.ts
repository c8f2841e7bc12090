/** Signs with an embedded account of another chain; first connects its wallet if this page does not use it yet. */
import { accountNotFound, KeybayError } from '@keybay/kernel'
import { type Action, useAction } from '@keybay/react'
import { keybay } from '../keybay.js'

export type EvmContent = 'message' | 'typed data'

async function ownAccount(address: string, signal: AbortSignal) {
  const { accounts } = await keybay.connect('waas', { signal })
  const account = accounts.find(account => account.address === address)
  const features = keybay.connectors.get('waas')?.wallet.features
  if (!account || !features) throw new KeybayError(accountNotFound)
  return { account, features }
}

export function useSignEvm(address: string): Action<[kind: EvmContent, text: string], string> {
  return useAction(async (signal: AbortSignal, kind: EvmContent, text: string) => {
    const { account, features } = await ownAccount(address, signal)
    const { signature } =
      kind === 'message'
        ? await features['evm:signMessage'].signMessage({ account, message: new TextEncoder().encode(text) })
        : await features['keybay:signTypedData'].signTypedData({ account, typedData: text })
    return signature
  })
}

/** Takes and returns base64. */
export function useSignPsbt(address: string): Action<[psbt: string], string> {
  return useAction(async (signal: AbortSignal, text: string) => {
    const { account, features } = await ownAccount(address, signal)
    const psbt = Uint8Array.from(atob(text), character => character.charCodeAt(0))
    const { signedPsbt } = await features['bitcoin:signTransaction'].signTransaction({ account, psbt })
    return btoa(String.fromCharCode(...signedPsbt))
  })
}
