import { type Action, useAction } from '@keybay/react'
import type { ExportKeyOptions } from '../api.js'
import { useInstance } from './instance.js'

/**
 * Shows a key to the user in a separate window; the page never receives it. Completes when the user is done.
 * @example const exportKey = useTurnkeyExport(); exportKey.run(address, { displayContainer: place.current })
 */
export function useTurnkeyExport(): Action<[address: string, options: Omit<ExportKeyOptions, 'signal'>], void> {
  const { turnkey } = useInstance()
  return useAction((signal: AbortSignal, address: string, options: Omit<ExportKeyOptions, 'signal'>) =>
    turnkey.exportKey(address, { ...options, signal }),
  )
}

/**
 * Signs EIP-712 typed data with an EVM account. @example const sign = useTurnkeySignTypedData(); sign.run(address,
 * JSON.stringify(typedData))
 */
export function useTurnkeySignTypedData(): Action<[address: string, typedData: string], string> {
  const { turnkey } = useInstance()
  return useAction((_signal: AbortSignal, address: string, typedData: string) =>
    turnkey.signTypedData(address, typedData),
  )
}
