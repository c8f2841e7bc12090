/** Every Solana wallet that announces itself in the page through Wallet Standard, as a connector, for as long as it is there. */
import { definePlugin, type Kernel, type Plugin, type WalletConnector } from '@keybay/kernel'
import type { Wallet } from '@wallet-standard/base'
import { type Description, describe } from './describe.js'
import { openRegistration } from './page-wallets.js'
import { VERSION } from './version.js'

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
  /** What a list may show of it besides its description: a change of nothing makes no new snapshot. */
  facts?: string | undefined
  /** There while it is listed. */
  remove?: (() => void) | undefined
  off?: () => void
}

function offers({ features }: Wallet, needed: Readonly<Record<string, string>>): boolean {
  return Object.entries(needed).every(
    ([feature, method]) => typeof Reflect.get(Object(Reflect.get(features, feature)), method) === 'function',
  )
}

function isText(value: unknown) {
  return typeof value === 'string'
}

/** Keeps the list in step with the page. Returns stop. */
function watchPage(
  { connectors, logger }: Pick<Kernel, 'connectors' | 'logger'>,
  fits: (wallet: Wallet) => boolean,
): () => void {
  const entries = new Map<Wallet, Entry>()
  /** A hostile wallet may throw whenever it is touched: then it is no connector, and nobody else notices. */
  const guarded = <T>(run: () => T): T | undefined => {
    try {
      return run()
    } catch (error) {
      logger.debug('wallet-standard', error)
    }
  }
  const judge = (wallet: Wallet, entry: Entry) => {
    const { id, name, icon, facts } = entry
    entry.facts = guarded(() =>
      entries.get(wallet) === entry && fits(wallet) ? `${wallet.chains} ${Object.keys(wallet.features)}` : undefined,
    )
    if (!entry.remove) {
      // A second wallet of the same name waits until the first has left.
      if (!entry.facts || connectors.get(id)) return
      const connector: StandardWallet = {
        kind: 'wallet',
        id,
        name,
        icon,
        readiness: 'ready',
        connectionType: 'browserExtension',
        wallet: wallet as StandardWallet['wallet'], // it fits
      }
      entry.remove = connectors.add(connector)
    } else if (!entry.facts) {
      entry.remove()
      entry.remove = undefined
      for (const [other, next] of entries) if (next.id === id) judge(other, next)
    } else if (entry.facts !== facts) connectors.update(id, {})
  }
  const added = (wallet: Wallet) =>
    guarded(() => {
      const entry: Entry | undefined = describe(wallet)
      if (!entry || entries.has(wallet)) return undefined
      // Without the feature this throws, and such a wallet could not say that it gained it.
      entry.off = (wallet as StandardWallet['wallet']).features['standard:events'].on(
        'change',
        ({ chains, features }) => {
          // Accounts are the connection's business.
          if (chains || features) judge(wallet, entry)
        },
      )
      entries.set(wallet, entry)
      judge(wallet, entry)
      return true
    })
  const silence = (entry: Entry) => guarded(() => entry.off?.())
  const removed = (wallet: Wallet) => {
    const entry = entries.get(wallet)
    if (!entry) return
    entries.delete(wallet)
    silence(entry)
    judge(wallet, entry)
  }
  const stop = openRegistration({ added, removed })
  return () => {
    stop()
    entries.forEach(silence)
    entries.clear()
  }
}

/**
 * @example
 * const keybay = createKeybay({ appName: 'Acme', plugins: [walletStandard()] })
 * keybay.connectors.get('wallet-standard:phantom') // once Phantom has announced itself; undefined before
 */
export function walletStandard({
  filter = () => true,
}: WalletStandardOptions = {}): Plugin<'wallet-standard', undefined, StandardWallet> {
  return definePlugin({
    id: 'wallet-standard',
    version: VERSION,
    kit: true,
    setup(kernel: Kernel<never>) {
      const needed =
        kernel.config.authMode === 'connect-only' ? NEEDED : { ...NEEDED, 'solana:signMessage': 'signMessage' }
      kernel.onStart(() =>
        watchPage(kernel, wallet => offers(wallet, needed) && wallet.chains.every(isText) && filter(wallet)),
      )
      return {}
    },
  })
}
