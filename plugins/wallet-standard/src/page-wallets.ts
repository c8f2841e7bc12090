/** Keeps the connector list in step with the wallets that the page registers. */
import type { Kernel, WalletConnector } from '@keybay/kernel'
import { getWallets } from '@wallet-standard/app'
import type { Wallet } from '@wallet-standard/base'
import { describe } from './describe.js'

/** A registered wallet. Its id is known only at run time, hence the pattern. */
export type StandardWallet = WalletConnector<
  `wallet-standard:${string}`,
  'standard:events' | 'standard:connect' | 'solana:signTransaction'
>
interface Entry {
  readonly connector: StandardWallet
  /** The chains and features that were last listed; undefined while the wallet does not qualify. */
  facts?: string | undefined
  /** Removes the connector; undefined while the wallet is not listed. */
  remove?: (() => void) | undefined
  unsubscribe?: () => void
}

/**
 * Announces the app to the page, and lists the wallets that qualify. The library's own window listener stays as long as the
 * page. Returns stop.
 */
export function watchWallets(
  { connectors, logger }: Pick<Kernel, 'connectors' | 'logger'>,
  qualifies: (wallet: Wallet) => boolean,
): () => void {
  const entries = new Map<Wallet, Entry>()
  /** Runs code that touches a wallet. A hostile wallet may throw at any time; other wallets must not notice. */
  const guard = <T>(run: () => T): T | undefined => {
    try {
      return run()
    } catch (error) {
      logger.debug('wallet-standard', error)
      return undefined
    }
  }
  const update = (wallet: Wallet, entry: Entry) => {
    const { connector, facts: previous } = entry
    entry.facts = guard(() =>
      entries.get(wallet) === entry && qualifies(wallet)
        ? `${wallet.chains} ${Object.keys(wallet.features)}`
        : undefined,
    )
    if (!entry.remove) {
      // A second wallet of the same name waits until the first has left.
      if (entry.facts && !connectors.get(connector.id)) entry.remove = connectors.add(connector)
    } else if (!entry.facts) {
      entry.remove()
      entry.remove = undefined
      for (const [other, next] of entries) if (next.connector.id === connector.id) update(other, next)
    } else if (entry.facts !== previous) connectors.update(connector.id, {})
  }
  const add = (wallet: Wallet) =>
    guard(() => {
      const description = describe(wallet)
      if (!description || entries.has(wallet)) return
      const connector: StandardWallet = {
        kind: 'wallet',
        ...description,
        readiness: 'ready',
        connectionType: 'browserExtension',
        wallet: wallet as StandardWallet['wallet'], // `qualifies` checks its features before it is listed
      }
      const entry: Entry = { connector }
      // Throws without `standard:events`: such a wallet could not report a feature that it gains later.
      entry.unsubscribe = connector.wallet.features['standard:events'].on('change', ({ chains, features }) => {
        // The kernel's connection handles account changes.
        if (chains || features) update(wallet, entry)
      })
      entries.set(wallet, entry)
      update(wallet, entry)
    })
  const remove = (wallet: Wallet) => {
    const entry = entries.get(wallet)
    if (!entry) return
    entries.delete(wallet)
    guard(() => entry.unsubscribe?.())
    update(wallet, entry)
  }
  const { get, on } = getWallets()
  const offRegister = on('register', (...wallets) => wallets.forEach(add))
  const offUnregister = on('unregister', (...wallets) => wallets.forEach(remove))
  get().forEach(add)
  return () => {
    offRegister()
    offUnregister()
    for (const entry of entries.values()) guard(() => entry.unsubscribe?.())
    entries.clear()
  }
}
