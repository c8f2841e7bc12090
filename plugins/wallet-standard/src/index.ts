/** Every Solana wallet that announces itself in the page through Wallet Standard, as a connector, for as long as it is there. */
import { definePlugin, type Kernel, type Plugin, VERSION, type WalletConnector, type WalletWith } from '@keybay/kernel'
import type { Wallet } from '@wallet-standard/base'
import { type Description, describe } from './describe.js'
import { openRegistration } from './page-wallets.js'

/** feature → its method. What a Solana connector needs (S3.10). */
const NEEDED = { 'standard:events': 'on', 'standard:connect': 'connect', 'solana:signTransaction': 'signTransaction' }

/** A wallet that announced itself; which ones is known only at run time, hence the pattern. */
export type StandardWallet = WalletConnector<
  `wallet-standard:${string}`,
  'standard:events' | 'standard:connect' | 'solana:signTransaction'
>
export interface WalletStandardOptions {
  /**
   * Asked for each wallet that has what it needs, and again when its chains or features change: false leaves it out.
   * Default: all are listed.
   */
  readonly filter?: (wallet: Wallet) => boolean
}
/** One wallet of the page. */
interface Entry extends Description {
  readonly wallet: Wallet
  /** What a list may show of it besides its description: a change of nothing makes no new snapshot. */
  facts?: string
  remove?: () => void
}

const offers = ({ features }: Wallet, needed: Readonly<Record<string, string>>): boolean =>
  Object.entries(needed).every(([feature, method]) => {
    const found: unknown = Reflect.get(features, feature)
    return typeof found === 'object' && found !== null && typeof Reflect.get(found, method) === 'function'
  })
const hasEvents = (wallet: Wallet): wallet is WalletWith<'standard:events'> =>
  offers(wallet, { 'standard:events': 'on' })
const factsOf = ({ chains, features }: Wallet) => [...chains, '', ...Object.keys(features)].join()

/** Keeps the list in step with the page. Returns stop. */
const watchPage = (
  { connectors, logger }: Pick<Kernel, 'connectors' | 'logger'>,
  fits: (wallet: Wallet) => wallet is StandardWallet['wallet'],
): (() => void) => {
  const leaving = new Map<Wallet, () => void>()
  /** id → whose it is: a second wallet of that name waits until the first has left. */
  const listed = new Map<string, Entry>()
  const waiting = new Set<Entry>()
  /** A hostile wallet may throw whenever it is touched: then it is no connector, and nobody else notices. */
  const guarded = <T>(run: () => T): T | undefined => {
    try {
      return run()
    } catch (error) {
      logger.debug('a wallet was left out', error)
      return undefined
    }
  }
  const withdraw = (entry: Entry) => {
    const { id } = entry
    waiting.delete(entry)
    if (listed.get(id) !== entry) return
    listed.delete(id)
    entry.remove?.()
    for (const next of waiting) if (next.id === id && !listed.has(id)) judge(next)
  }
  const judge = (entry: Entry) => {
    const { id, name, icon, wallet } = entry
    const found = guarded(() => (fits(wallet) ? { wallet, facts: factsOf(wallet) } : undefined))
    if (!found) return withdraw(entry)
    const holder = listed.get(id)
    if (!holder) {
      waiting.delete(entry)
      listed.set(id, entry)
      entry.remove = connectors.add({
        kind: 'wallet',
        id,
        name,
        icon,
        readiness: 'ready',
        connectionType: 'browserExtension',
        wallet: found.wallet,
      })
    } else if (holder !== entry) waiting.add(entry)
    else if (entry.facts !== found.facts) connectors.update(id, {})
    entry.facts = found.facts
  }
  const add = (wallet: Wallet) =>
    guarded(() => {
      if (leaving.has(wallet)) return
      const description = describe(wallet)
      if (!description || !hasEvents(wallet)) return
      const entry: Entry = { ...description, wallet }
      const off = wallet.features['standard:events'].on('change', ({ chains, features }) => {
        // Accounts are the connection's business; and some wallets still speak after they have left.
        if ((chains || features) && leaving.has(wallet)) judge(entry)
      })
      leaving.set(wallet, () => {
        guarded(off)
        withdraw(entry)
      })
      judge(entry)
    })
  const drop = (wallet: Wallet) => {
    const leave = leaving.get(wallet)
    leaving.delete(wallet)
    leave?.()
  }
  const stop = openRegistration({ added: add, removed: drop })
  return () => {
    stop()
    for (const wallet of [...leaving.keys()]) drop(wallet)
  }
}

/**
 * @example
 * const keybay = createKeybay({ appName: 'Acme', plugins: [walletStandard()] })
 * keybay.connectors.get('wallet-standard:phantom') // once Phantom has announced itself; undefined before
 */
export const walletStandard = ({
  filter = () => true,
}: WalletStandardOptions = {}): Plugin<'wallet-standard', undefined, StandardWallet> =>
  definePlugin({
    id: 'wallet-standard',
    version: VERSION,
    setup(kernel: Kernel<never>) {
      const signs = kernel.config.authMode === 'connect-and-sign'
      const needed = signs ? { ...NEEDED, 'solana:signMessage': 'signMessage' } : NEEDED
      const fits = (wallet: Wallet): wallet is StandardWallet['wallet'] => offers(wallet, needed) && filter(wallet)
      kernel.onStart(() => watchPage(kernel, fits))
      return {}
    },
  })
