/** Runs in the page itself, before its scripts: puts the wallet there in the ways that `config.js` says. */
import { announce } from '../../announce.js'
import { openChannel } from './channel.js'
import { announceEvm, createEvmProvider } from './evm-provider.js'
import { createSolanaProvider } from './solana-provider.js'
import { createStandardWallet } from './standard-wallet.js'

/** What `config.js` leaves. */
interface Config {
  /** In the lists of wallets. */
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
    // As Phantom does it: a place of its own, and the one that wallets fight over.
    for (const [place, value] of Object.entries({ phantom: Object.freeze({ solana }), solana }))
      Object.defineProperty(window, place, { value, configurable: true, writable: true })
  }
  if (ways.includes('standard')) announce(createStandardWallet(channel, name))
  if (ways.includes('evm')) announceEvm(createEvmProvider(channel), name)
}
