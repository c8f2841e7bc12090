/** Runs after a wallet was created or imported: connects it like any other wallet and opens its page. */
import { useConnect } from '@keybay/react'
import type { WalletWithBackup } from '@keybay/waas'
import { navigate } from '../routing/router.js'

export function useNewWallet(): (made: WalletWithBackup) => void {
  const { runAsync } = useConnect('waas')
  return ({ wallet: { accountAddress } }) => {
    runAsync('waas').then(
      () => navigate(`/wallets/${accountAddress}`),
      () => navigate('/wallets'), // the wallets page shows the error
    )
  }
}
