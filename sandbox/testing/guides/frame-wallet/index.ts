/** Acme plugin: one connector over a message channel, ready once the wallet has answered. */
import { createStore, definePlugin, type Plugin, type Store, type WalletConnector } from '@keybay/kernel'
import { ICON } from '../icon.js'
import { VERSION } from '../version.js'
import { type Channel, createChannel } from './channel.js'
import { type OpenWallet, walletFrame } from './frame.js'
import { type AcmeFeature, acmeWallet } from './wallet.js'

export interface AcmeOptions {
  /** Default: a frame of `https://wallet.acme.example/frame`. */
  readonly open?: OpenWallet
}
export type AcmeConnector = WalletConnector<'acme', AcmeFeature>
/** `keybay.acme` */
export interface AcmeApi {
  /** True while the wallet is locked. */
  readonly locked: Pick<Store<boolean>, 'get' | 'subscribe'>
  /** Locks the wallet for all pages. */
  lock(): Promise<void>
}
declare module '@keybay/kernel' {
  interface KeybayPlugins {
    acme: AcmeApi
  }
}

/**
 * @example
 * const keybay = createKeybay({ appName: 'My app', plugins: [acme()] })
 * await keybay.connect('acme')
 */
export function acme({
  open = walletFrame('https://wallet.acme.example/frame'),
}: AcmeOptions = {}): Plugin<'acme', AcmeApi, AcmeConnector> {
  return definePlugin({
    id: 'acme',
    version: VERSION,
    setup(kernel) {
      let onChannel = (_channel: Channel) => {}
      const opened = new Promise<Channel>(resolve => {
        onChannel = resolve
      })
      const { wallet, follow } = acmeWallet(() => opened)
      const locked = createStore(false, error => kernel.logger.error('acme', error))
      const connector: AcmeConnector = {
        kind: 'wallet',
        id: 'acme',
        name: 'Acme',
        icon: ICON,
        connectionType: 'browserExtension',
        readiness: 'loading',
        wallet,
      }
      // Setup only builds: the frame loads when the instance starts, in a browser.
      kernel.onStart(() => {
        let channel: Channel | undefined
        const stop = open(port => {
          channel = createChannel(port)
          channel.onEvent(({ event, data }) => {
            if (event === 'accounts') follow(data)
            if (event === 'locked') locked.set(data === true)
          })
          onChannel(channel)
          kernel.connectors.update('acme', { readiness: 'ready' })
        })
        return () => {
          stop()
          channel?.close()
        }
      })
      const lock = async () => void (await (await opened).request('lock'))
      return { api: { locked, lock }, connectors: [connector] }
    },
  })
}
