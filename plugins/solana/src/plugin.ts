/** The plugin: networks and names at once, everything else with the first call. */
import { accountNotFound, KeybayError, type Plugin, toKeybayError } from '@keybay/kernel'
import type { SolanaApi, SolanaEngine } from './api.js'
import type { EndpointOptions } from './client.js'
import type { KernelErrors } from './fault.js'
import { createNetworks, type NetworkOptions } from './networks.js'
import { VERSION } from './version.js'

export interface SolanaOptions extends NetworkOptions, EndpointOptions {}

// Arguments and results apart, so that the compiler sees them belong together under one name.
type Arguments = { readonly [K in keyof SolanaEngine]: Parameters<SolanaEngine[K]> }
type Results = { readonly [K in keyof SolanaEngine]: Awaited<ReturnType<SolanaEngine[K]>> }
type Calls = { readonly [K in keyof SolanaEngine]: (...args: Arguments[K]) => Promise<Results[K]> }

/**
 * Solana for a Keybay instance, as `keybay.solana`.
 *
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
      const errors: KernelErrors = [KeybayError, toKeybayError, accountNotFound, VERSION]
      // Both imports stand here: a second module with one would put the bundler's loader in a chunk of its own. And what
      // they give goes to a named function, because a bundler wraps what it can look into.
      const start = (module: typeof import('./engine.js')) =>
        module.engineOf(kernel, networks, options, errors, () => import('./transaction/pipeline.js'))
      const load = () => import('./engine.js').then(start)
      const later =
        <K extends keyof SolanaEngine>(name: K) =>
        (...args: Arguments[K]): Promise<Results[K]> =>
          load().then((calls: Calls) => calls[name](...args))
      return {
        api: {
          networks,
          watchBalance(...args) {
            const stopping = load().then(real => real.watchBalance(...args), args[2])
            return () => void stopping.then(stop => stop?.())
          },
          network: later('network'),
          getBalance: later('getBalance'),
          requestAirdrop: later('requestAirdrop'),
          send: later('send'),
          sendTransaction: later('sendTransaction'),
          steps: later('steps'),
        },
      }
    },
  }
}
