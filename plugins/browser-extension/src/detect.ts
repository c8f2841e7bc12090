/** Which provider of the page is whose. */
import { type InjectedProvider, isProvider } from './provider.js'
import type { InjectedWallet } from './wallets.js'

function read(path: string): unknown {
  return path.split('.').reduce<unknown>((from, name) => Reflect.get(Object(from), name), globalThis)
}

/**
 * The wallet's own place counts. `window.solana` is one place for all, which the last one to come has: there a wallet is
 * taken by its mark, and only if no other wallet's mark is beside it, because some wear those of others.
 *
 * @returns undefined too where a hostile page throws
 */
export function findProvider(
  { path, flag }: InjectedWallet,
  wallets: readonly InjectedWallet[],
): InjectedProvider | undefined {
  try {
    const own = read(path)
    if (isProvider(own)) return own
    const shared = read('solana')
    const marks = wallets.filter(wallet => Reflect.get(Object(shared), wallet.flag) === true)
    return isProvider(shared) && marks.length === 1 && marks[0]?.flag === flag ? shared : undefined
  } catch {
    return undefined
  }
}
