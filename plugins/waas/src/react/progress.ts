import type { KeybayEvents } from '@keybay/kernel'
import { useEffect, useState } from 'react'
import { useInstance } from './waas.js'

export type WalletProgress = KeybayEvents['waas:progress']

/**
 * Returns the progress of the newest long operation: create, import, refresh, reshare. Undefined before its first step.
 * It stays after the last step: show it while an action is `pending`.
 *
 * @param address only operations of this wallet; default: all wallets
 * @example const progress = useWalletProgress(); <progress value={progress?.number} max={progress?.of} />
 */
export function useWalletProgress(address?: string): WalletProgress | undefined {
  const { on } = useInstance()
  const [progress, show] = useState<WalletProgress>()
  useEffect(
    () =>
      on('waas:progress', next => {
        if (address === undefined || next.address === address) show(next)
      }),
    [on, address],
  )
  return progress
}
