/** Keeps the connector list in step with the wallets that the page registers. */
import type { Kernel, WalletConnector } from '@keybay/kernel'
import { getWallets } from '@wallet-standard/app'
import type { Wallet } from '@wallet-standard/base'
import { type Description, describe } from './describe.js'

/** A registered wallet. Its id is known only at run time, hence the pattern. */
export type StandardWallet = WalletConnector<
  `wallet-standard:${string}`,
  'standard:events' | 'standard:connect' | 'solana:signTransaction'
>
interface Entry extends Description {
  /** The chains and features that were last listed; undefined while the wallet does not qualify. */
  facts?: string | undefined
  /** Removes the connector; undefined while the wallet is not listed. */
  remove?: (() => void) | undefined
  unsubscribe?: () => void
}

export class PageWallets {
  readonly #connectors: Kernel['connectors']
  readonly #logger: Kernel['logger']
  readonly #qualifies: (wallet: Wallet) => boolean
  readonly #entries = new Map<Wallet, Entry>()
  readonly #stops: (() => void)[] = []

  constructor({ connectors, logger }: Pick<Kernel, 'connectors' | 'logger'>, qualifies: (wallet: Wallet) => boolean) {
    this.#connectors = connectors
    this.#logger = logger
    this.#qualifies = qualifies
  }
  /** Announces the app to the page. The library's own window listener stays as long as the page. */
  start(): void {
    const { get, on } = getWallets()
    this.#stops.push(
      on('register', (...wallets) => wallets.forEach(this.#add)),
      on('unregister', (...wallets) => wallets.forEach(this.#remove)),
    )
    get().forEach(this.#add)
  }
  stop(): void {
    for (const stop of this.#stops.splice(0)) stop()
    for (const entry of this.#entries.values()) this.#unsubscribe(entry)
    this.#entries.clear()
  }
  /** Runs code that touches a wallet. A hostile wallet may throw at any time; other wallets must not notice. */
  #guard<T>(run: () => T): T | undefined {
    try {
      return run()
    } catch (error) {
      this.#logger.debug('wallet-standard', error)
    }
  }
  #unsubscribe(entry: Entry) {
    this.#guard(() => entry.unsubscribe?.())
  }
  readonly #add = (wallet: Wallet): void => {
    this.#guard(() => {
      const entry: Entry | undefined = describe(wallet)
      if (!entry || this.#entries.has(wallet)) return
      // Throws without `standard:events`: such a wallet could not report a feature that it gains later.
      entry.unsubscribe = (wallet as StandardWallet['wallet']).features['standard:events'].on(
        'change',
        ({ chains, features }) => {
          // The kernel's connection handles account changes.
          if (chains || features) this.#update(wallet, entry)
        },
      )
      this.#entries.set(wallet, entry)
      this.#update(wallet, entry)
    })
  }
  readonly #remove = (wallet: Wallet): void => {
    const entry = this.#entries.get(wallet)
    if (!entry) return
    this.#entries.delete(wallet)
    this.#unsubscribe(entry)
    this.#update(wallet, entry)
  }
  #readFacts(wallet: Wallet, entry: Entry): string | undefined {
    return this.#guard(() =>
      this.#entries.get(wallet) === entry && this.#qualifies(wallet)
        ? `${wallet.chains} ${Object.keys(wallet.features)}`
        : undefined,
    )
  }
  #update(wallet: Wallet, entry: Entry) {
    const previous = entry.facts
    entry.facts = this.#readFacts(wallet, entry)
    if (!entry.remove) this.#list(wallet, entry)
    else if (!entry.facts) this.#unlist(entry)
    else if (entry.facts !== previous) this.#connectors.update(entry.id, {})
  }
  #list(wallet: Wallet, entry: Entry) {
    const { id, name, icon, facts } = entry
    // A second wallet of the same name waits until the first has left.
    if (!facts || this.#connectors.get(id)) return
    const connector: StandardWallet = {
      kind: 'wallet',
      id,
      name,
      icon,
      readiness: 'ready',
      connectionType: 'browserExtension',
      wallet: wallet as StandardWallet['wallet'], // `#qualifies` checked its features
    }
    entry.remove = this.#connectors.add(connector)
  }
  #unlist(entry: Entry) {
    entry.remove?.()
    entry.remove = undefined
    for (const [wallet, next] of this.#entries) if (next.id === entry.id) this.#update(wallet, next)
  }
}
