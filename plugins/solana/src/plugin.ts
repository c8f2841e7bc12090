/** The plugin: networks and names at once, everything else with the first call. */
import { definePlugin, type KeybayError, type Plugin, toKeybayError } from '@keybay/kernel'
import { isAddress } from './address.js'
import type { SolanaApi } from './api.js'
import type { EndpointOptions } from './client.js'
import type { Engine } from './engine.js'
import { createNetworks, type NetworkOptions } from './networks.js'
import { VERSION } from './version.js'

export interface SolanaOptions extends NetworkOptions, EndpointOptions {}

/**
 * Solana for a Keybay instance, as `keybay.solana`.
 *
 * @example
 * const keybay = createKeybay({ appName: 'Acme', plugins: [solana({ cluster: 'devnet' })] })
 * const lamports = await keybay.solana.getBalance(address)
 */
export const solana = (options: SolanaOptions = {}): Plugin<'solana', SolanaApi> =>
  definePlugin({
    id: 'solana',
    version: VERSION,
    setup(kernel) {
      const control = createNetworks(kernel, options)
      let loading: Promise<Engine> | undefined
      const load = () => {
        loading ??= import('./engine.js').then(
          ({ createEngine }) => createEngine(kernel, control, options),
          error => {
            loading = undefined // offline now; the next call tries again
            throw toKeybayError(error)
          },
        )
        return loading
      }
      const later =
        <A extends readonly unknown[], R>(pick: (engine: Engine) => (...args: A) => Promise<R>) =>
        (...args: A): Promise<R> =>
          load().then(engine => pick(engine)(...args))
      const api: SolanaApi = {
        networks: control.networks,
        isAddress,
        watchBalance(address, listener, onError = () => {}) {
          const end = new AbortController()
          load()
            .then(engine => engine.watchBalance(address, listener, onError, end.signal))
            .catch((error: KeybayError) => onError(error))
          return () => end.abort()
        },
        network: later(engine => engine.network),
        getBalance: later(engine => engine.getBalance),
        requestAirdrop: later(engine => engine.requestAirdrop),
        send: later(engine => engine.send),
        sendTransaction: later(engine => engine.sendTransaction),
        build: later(engine => engine.build),
        fee: later(engine => engine.fee),
        checkFunds: later(engine => engine.checkFunds),
        sign: later(engine => engine.sign),
        submit: later(engine => engine.submit),
        confirm: later(engine => engine.confirm),
      }
      return { api }
    },
  })
