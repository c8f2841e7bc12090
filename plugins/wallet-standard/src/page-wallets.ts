/** Keeps the connector list in step with the wallets that the page registers. */
import type { Kernel, WalletConnector } from '@keybay/kernel'
import { quietly } from '@keybay/kernel/spec'
import { getWallets } from '@wallet-standard/app'
import type { Wallet } from '@wallet-standard/base'
import { describe } from './describe.js'

/** A registered wallet. Its id is known only at run time, hence the pattern. */
export type StandardWallet = WalletConnector<
  `wallet-standard:${string}`,
  'standard:events' | 'standard:connect' | 'solana:signTransaction'
>
interface Entry {
  /** By the wallet's name. */
  readonly id: StandardWallet['id']
  /** With an id and a name of its own, if another wallet claims the same name. */
  connector: StandardWallet
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
  const guard = <T>(run: () => T) => quietly(run, error => logger.debug('wallet-standard', error))
  let marks = 0
  const update = (wallet: Wallet, entry: Entry) => {
    const { id, facts: previous } = entry
    entry.facts = guard(() =>
      entries.has(wallet) && qualifies(wallet) ? `${wallet.chains} ${Object.keys(wallet.features)}` : undefined,
    )
    if (!entry.facts) {
      entry.remove?.()
      entry.remove = undefined
    } else if (!entry.remove) {
      const twins = [...entries.values()].filter(other => other.facts && other.id === id)
      for (const twin of twins) {
        const { connector } = twin
        // Nothing tells which of two wallets is genuine, so both are marked. The id differs on each page, so that
        // neither is connected silently in place of the other.
        if (twins[1] && connector.id === id) {
          twin.remove?.()
          twin.remove = undefined
          twin.connector = { ...connector, id: `${id}~${Math.random()}`, name: `${connector.name} (${++marks})` }
        }
        twin.remove ??= connectors.add(twin.connector)
      }
    } else if (entry.facts !== previous) connectors.update(entry.connector.id, {})
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
      const entry: Entry = { id: description.id, connector }
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
    for (const wallet of entries.keys()) remove(wallet)
  }
}
