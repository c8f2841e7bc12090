/** Acme Name plugin: one connector, registered at once, ready when the wallet is in the page. */
import { definePlugin, type Plugin, type WalletConnector } from '@keybay/kernel'
import { ICON } from './icon.js'
import { type AcmeNameProvider, findProvider, INJECTED_EVENT } from './provider.js'
import { VERSION } from './version.js'
import { type AcmeNameFeature, acmeNameWallet } from './wallet.js'

export type { AcmeNameAccount, AcmeNameProvider } from './provider.js'
export type { AcmeNameFeature, AcmeNameWallet } from './wallet.js'

export interface AcmeNameOptions {
  /** Wallet to use instead of `window.acmeName`. */
  readonly provider?: AcmeNameProvider
}
export type AcmeNameConnector = WalletConnector<'acme-name', AcmeNameFeature>

/**
 * @example
 * const keybay = createKeybay({ appName: 'My app', plugins: [acmeName()] })
 * await keybay.connect('acme-name')
 */
export function acmeName({ provider }: AcmeNameOptions = {}): Plugin<'acme-name', undefined, AcmeNameConnector> {
  const find = () => provider ?? findProvider()
  return definePlugin({
    id: 'acme-name',
    version: VERSION,
    setup(kernel) {
      const { wallet, stop } = acmeNameWallet(find)
      const connector: AcmeNameConnector = {
        kind: 'wallet',
        id: 'acme-name',
        name: 'Acme Name',
        icon: ICON,
        connectionType: 'browserExtension',
        // The plugin reads the page only in onStart, because a server and the browser's first render must agree.
        readiness: provider ? 'ready' : 'loading',
        installUrl: 'https://example.com/acme-name',
        wallet,
      }
      kernel.onStart(() => {
        const look = () => kernel.connectors.update('acme-name', { readiness: find() ? 'ready' : 'not-installed' })
        look()
        addEventListener(INJECTED_EVENT, look)
        return () => removeEventListener(INJECTED_EVENT, look)
      })
      kernel.onDispose(stop)
      return { connectors: [connector] }
    },
  })
}
