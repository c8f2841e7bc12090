/** Finds the provider of a wallet in the page. */
import { field } from '@keybay/kernel/spec'
import type { InjectedProvider } from './provider.js'
import type { InjectedWallet } from './wallets.js'

function isProvider(value: unknown): value is InjectedProvider {
  return typeof value === 'object' && typeof field(value, 'connect') === 'function'
}

function read(path: string): unknown {
  return path.split('.').reduce<unknown>(field, globalThis)
}
/**
 * Looks at the wallet's own place first. Any wallet may take `window.solana`: there a wallet is recognised by its flag, and only
 * if no other wallet's flag is set, because some wallets set the flags of others.
 * @returns undefined too where a hostile page throws
 */
export function findProvider(
  { path, flag }: InjectedWallet,
  wallets: readonly InjectedWallet[],
): InjectedProvider | undefined {
  try {
    const provider = read(path)
    if (isProvider(provider)) return provider
    const shared = read('solana')
    const flags = wallets.filter(wallet => field(shared, wallet.flag) === true)
    return isProvider(shared) && flags.length === 1 && flags[0]?.flag === flag ? shared : undefined
  } catch {
    return undefined
  }
}
