import type { WalletAccount } from '@wallet-standard/base'

function describe({ address, label, chains, features }: WalletAccount) {
  return [address, label, chains, features].join()
}

/** Compares by structure, so that equal accounts make no new snapshot. */
export function sameAccounts(a: readonly WalletAccount[], b: readonly WalletAccount[]): boolean {
  return a.map(describe).join('\n') === b.map(describe).join('\n')
}
