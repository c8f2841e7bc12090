/** Lists the connector and its API at once. The rest loads with the first call. */
import { type FeatureName, lazyApi, lazyWallet, loadOnce, type Plugin, type WalletConnector } from '@keybay/kernel'
import { createLetterIcon } from '@keybay/kernel/spec'
import type { Wallet } from '@wallet-standard/base'
import type { TurnkeyApi } from './api.js'
import type { ServiceOptions } from './tools.js'
import { VERSION } from './version.js'

export interface TurnkeyOptions extends ServiceOptions {
  /** Name in lists of wallets; the wallet itself keeps the name that S9.8 requires. Default: that name. */
  readonly name?: string | undefined
  /** A data URL. Default: the first letter of the name. */
  readonly icon?: Wallet['icon'] | undefined
}
type Feature = Extract<
  FeatureName,
  | 'standard:connect'
  | 'standard:disconnect'
  | 'standard:events'
  | 'solana:signMessage'
  | 'solana:signTransaction'
  | 'keybay:signTypedData'
>
export type TurnkeyConnector = WalletConnector<'turnkey', Feature>

const COLOUR = '#555'
/** S9.8: the name identifies an embedded wallet. */
const NAME = 'turnkeyhd'
const CHAINS = ['solana:mainnet', 'solana:devnet', 'solana:testnet', 'solana:localnet', 'eip155:1'] as const

/**
 * Adds wallets that a key-custody service keeps for the signed-in user, guarded by the user's passkey, as `keybay.turnkey` and
 * the connector `turnkey`.
 * @example
 * const keybay = createKeybay({ appName: 'Acme', baseApiUrl, plugins: [account(), email(), turnkey({ baseUrl })] })
 * await keybay.connect('email', { email: 'mara@example.com' })
 * await keybay.turnkey.createWallet()
 * const { accounts } = await keybay.connect('turnkey')
 */
export function turnkey({
  name = NAME,
  icon = createLetterIcon(name, COLOUR),
  ...options
}: TurnkeyOptions): Plugin<'turnkey', TurnkeyApi, TurnkeyConnector, 'account'> {
  return {
    id: 'turnkey',
    version: VERSION,
    kit: true,
    requires: ['account'],
    setup(kernel) {
      const identity = { name: NAME, icon, chains: CHAINS }
      // Passed on: an `import()` in a chunk that loads later would put the bundler's loader into a chunk of its own.
      const loadWindow = () => import('./export/window.js')
      const load = loadOnce(async () => {
        const { Engine } = await import('./engine.js')
        return new Engine(kernel, options, identity, loadWindow)
      })
      const wallet = lazyWallet(
        {
          ...identity,
          features: {
            'standard:connect': ['connect'],
            'standard:disconnect': ['disconnect'],
            'solana:signMessage': ['signMessage'],
            'solana:signTransaction': ['signTransaction'],
            'keybay:signTypedData': ['signTypedData'],
          },
          facts: { 'solana:signTransaction': { supportedTransactionVersions: ['legacy', 0] } },
        },
        async () => (await load()).wallet,
      )
      const connector: TurnkeyConnector = {
        kind: 'wallet',
        id: 'turnkey',
        name,
        icon,
        readiness: 'ready',
        connectionType: 'custodialService',
        wallet,
        async connect({ signal }) {
          await wallet.preload()
          return (await load()).connect(signal)
        },
        preload: wallet.preload,
      }
      const loadApi = async () => (await load()).api
      const api = lazyApi(loadApi, [
        'createWallet',
        'wallets',
        'addAccount',
        'addPasskey',
        'user',
        'updateEmail',
        'activities',
        'session',
        'endSession',
        'recovery',
        'beginRecovery',
        'completeRecovery',
        'signTypedData',
        'exportKey',
        'exportWallet',
        'exportWalletAccount',
        'exportPrivateKey',
      ])
      return { api, connectors: [connector] }
    },
  }
}
