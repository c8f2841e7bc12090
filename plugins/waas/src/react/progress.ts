import type { KeybayEvents } from '@keybay/kernel'
import { useEffect, useState } from 'react'
import { useInstance } from './waas.js'

export type WalletProgress = KeybayEvents['waas:progress']

/**
 * How far the newest long operation is: creating, importing, refreshing, resharing. Undefined before the first step. It
 * stays after the last one: show it while an action is `pending`.
 *
 * @param address only operations on this wallet; by default all
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
