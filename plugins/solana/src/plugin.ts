/** Provides networks and method names at once. The rest loads with the first call. */
import { lazyApi, loadOnce, type Plugin } from '@keybay/kernel'
import type { SolanaApi } from './api.js'
import type { EndpointOptions } from './client.js'
import { createNetworks, type NetworkOptions } from './networks.js'
import { VERSION } from './version.js'

export interface SolanaOptions extends NetworkOptions, EndpointOptions {}

/**
 * Adds Solana to a Keybay instance as `keybay.solana`.
 * @example
 * const keybay = createKeybay({ appName: 'Acme', plugins: [solana({ cluster: 'devnet' })] })
 * const lamports = await keybay.solana.getBalance(address)
 */
export function solana(options: SolanaOptions = {}): Plugin<'solana', SolanaApi> {
  return {
    id: 'solana',
    version: VERSION,
    kit: true,
    setup(kernel) {
      const networks = createNetworks(kernel, options)
      const load = loadOnce(async () => {
        const { createEngine } = await import('./engine.js')
        return createEngine(
          kernel,
          networks,
          { ...options, version: VERSION },
          // Passed on: an `import()` in a chunk that loads later would put the bundler's loader into a chunk of its own.
          () => import('./transaction/pipeline.js'),
          () => import('./transaction/confirm.js'),
        )
      })
      return {
        api: {
          networks,
          watchBalance(...args) {
            const stopping = load().then(engine => engine.watchBalance(...args), args[2])
            return () => void stopping.then(stop => stop?.())
          },
          ...lazyApi(load, ['network', 'getBalance', 'requestAirdrop', 'send', 'sendTransaction', 'steps']),
        },
      }
    },
  }
}
