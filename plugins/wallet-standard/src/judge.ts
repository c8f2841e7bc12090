/** Which wallets become connectors, and what of a wallet may be shown. A hostile one may lie about or throw in any of it. */
import type { FeatureName, ResolvedConfig, WalletConnector, WalletWith } from '@keybay/kernel'
import type { Wallet } from '@wallet-standard/base'

/** The features that Keybay needs of every Solana wallet (S3.10). */
type Needed = 'standard:connect' | 'standard:events' | 'solana:signTransaction'
/** A wallet that announced itself; known at run time only, hence the pattern. */
export type StandardWallet = WalletConnector<`wallet-standard:${string}`, Needed>
export type Filter = (wallet: Wallet) => boolean

const LONGEST_NAME = 64
const LARGEST_ICON = 100_000
/** What Wallet Standard allows. It is only ever shown as an image, where script does not run. */
const ICON = /^data:image\/(?:svg\+xml|webp|png|gif|jpeg);base64,[\w+/=]+$/
const BLANK = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=='

const offers = (wallet: Wallet, feature: FeatureName, method: string): boolean => {
  const found: unknown = wallet.features[feature]
  return typeof found === 'object' && found !== null && typeof Reflect.get(found, method) === 'function'
}
const fits = (wallet: Wallet, { authMode }: ResolvedConfig): wallet is WalletWith<Needed> =>
  wallet.chains.some(chain => chain.startsWith('solana:')) &&
  Array.isArray(wallet.accounts) &&
  offers(wallet, 'standard:connect', 'connect') &&
  offers(wallet, 'standard:events', 'on') &&
  offers(wallet, 'solana:signTransaction', 'signTransaction') &&
  (authMode === 'connect-only' || offers(wallet, 'solana:signMessage', 'signMessage'))

/** Letters, digits and what people see between them; nothing invisible, and nothing that turns the reading direction. */
const readable = (name: string): string => name.replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, '').trim()

/** The connector for this wallet as it is now, or undefined. @throws what a hostile getter throws */
export const toConnector = (wallet: Wallet, config: ResolvedConfig, filter?: Filter): StandardWallet | undefined => {
  const { name: given, icon } = wallet
  const name = readable(given.slice(0, LONGEST_NAME))
  const slug = name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
  if (!slug || !fits(wallet, config) || filter?.(wallet) === false) return undefined
  return {
    kind: 'wallet',
    id: `wallet-standard:${slug}`,
    name,
    icon: icon.length < LARGEST_ICON && ICON.test(icon) ? icon : BLANK,
    readiness: 'ready',
    connectionType: 'browserExtension',
    wallet,
  }
}
