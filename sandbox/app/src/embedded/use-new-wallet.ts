/** What comes after a wallet was made or imported: it is connected like any other, and its page shows what it is. */
import { useConnect } from '@keybay/react'
import type { WalletWithBackup } from '@keybay/waas'
import { navigate } from '../routing/router.js'

export function useNewWallet(): (made: WalletWithBackup) => void {
  const { runAsync } = useConnect('waas')
  return ({ wallet: { accountAddress } }) => {
    runAsync('waas').then(
      () => navigate(`/wallets/${accountAddress}`),
      () => navigate('/wallets'), // which says what is wrong
    )
  }
}
