/** Runs in the page before its scripts, and installs the wallet in the ways that `config.js` lists. */
import { announce } from '../../announce.js'
import { openChannel } from './channel.js'
import { announceEvm, createEvmProvider } from './evm-provider.js'
import { createSolanaProvider } from './solana-provider.js'
import { createStandardWallet } from './standard-wallet.js'

/** Configuration set by `config.js`. */
interface Config {
  /** Name in wallet lists. */
  readonly name: string
  readonly ways: readonly ('injected' | 'standard' | 'evm')[]
}

function isConfig(value: unknown): value is Config {
  return Array.isArray(Reflect.get(Object(value), 'ways'))
}

const config: unknown = Reflect.get(window, 'keybaySandboxExtension')
Reflect.deleteProperty(window, 'keybaySandboxExtension')
if (isConfig(config)) {
  const { name, ways } = config
  const channel = openChannel()
  if (ways.includes('injected')) {
    const solana = createSolanaProvider(channel)
    // Like Phantom: its own property, and the one that wallets compete for.
    for (const [place, value] of Object.entries({ phantom: Object.freeze({ solana }), solana }))
      Object.defineProperty(window, place, { value, configurable: true, writable: true })
  }
  if (ways.includes('standard')) announce(createStandardWallet(channel, name))
  if (ways.includes('evm')) announceEvm(createEvmProvider(channel), name)
}
