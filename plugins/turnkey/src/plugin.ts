/** The plugin: one connector and the names of its calls at once, everything else with the first of them. */
import {
  accountNotFound,
  configInvalid,
  type FeatureName,
  KeybayError,
  lazyWallet,
  type Plugin,
  sessionMissing,
  toKeybayError,
  userRejected,
  type WalletConnector,
} from '@keybay/kernel'
import type { Wallet } from '@wallet-standard/base'
import type { TurnkeyApi, TurnkeyEngineApi } from './api.js'
import type { ServiceOptions } from './tools.js'
import { VERSION } from './version.js'

export interface TurnkeyOptions extends ServiceOptions {
  /** What people read in lists of wallets; the wallet itself keeps the name that S9.8 asks for. Default: that one. */
  readonly name?: string | undefined
  /** A data URL. */
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

const FEATURES = {
  'standard:connect': ['connect'],
  'standard:disconnect': ['disconnect'],
  'solana:signMessage': ['signMessage'],
  'solana:signTransaction': ['signTransaction'],
  'keybay:signTypedData': ['signTypedData'],
} as const
// Encoded here: as text it is smaller.
const ICON: Wallet['icon'] = `data:image/svg+xml;base64,${btoa("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'><path fill='#888' d='M1 1h6L4 7z'/></svg>")}`
/** S9.8: its name says that it is an embedded one. */
const NAME = 'turnkeyhd'

// Arguments and results apart, so that the compiler sees them belong together under one name.
type Arguments = { readonly [K in keyof TurnkeyEngineApi]: Parameters<TurnkeyEngineApi[K]> }
type Results = { readonly [K in keyof TurnkeyEngineApi]: Awaited<ReturnType<TurnkeyEngineApi[K]>> }
type Calls = { readonly [K in keyof TurnkeyEngineApi]: (...args: Arguments[K]) => Promise<Results[K]> }

/**
 * Wallets that a key-custody service keeps for the user who is signed in, guarded by the user's passkey, as
 * `keybay.turnkey` and the connector `turnkey`.
 *
 * @example
 * const keybay = createKeybay({ appName: 'Acme', baseApiUrl, plugins: [account(), email(), turnkey({ baseUrl })] })
 * await keybay.connect('email', { email: 'mara@example.com' })
 * await keybay.turnkey.createWallet()
 * const { accounts } = await keybay.connect('turnkey')
 */
export function turnkey({
  name = NAME,
  icon = ICON,
  ...options
}: TurnkeyOptions): Plugin<'turnkey', TurnkeyApi, TurnkeyConnector, 'account'> {
  return {
    id: 'turnkey',
    version: VERSION,
    kit: true,
    requires: ['account'],
    setup(kernel) {
      const chains = ['mainnet', 'devnet', 'testnet', 'localnet'].map(cluster => `solana:${cluster}` as const)
      const face = { name: NAME, icon, chains: [...chains, 'eip155:1' as const] }
      const load = () =>
        import('./engine.js').then(module =>
          module.engineOf(kernel, options, face, [
            KeybayError,
            toKeybayError,
            userRejected,
            accountNotFound,
            sessionMissing,
            configInvalid,
          ]),
        )
      const later =
        <K extends keyof TurnkeyEngineApi>(call: K) =>
        (...args: Arguments[K]): Promise<Results[K]> =>
          load().then(({ api }: { api: Calls }) => api[call](...args))
      const lazy = lazyWallet(
        {
          ...face,
          features: FEATURES,
          facts: { 'solana:signTransaction': { supportedTransactionVersions: ['legacy', 0] } },
        },
        () => load().then(engine => engine.wallet),
      )
      return {
        api: {
          createWallet: later('createWallet'),
          wallets: later('wallets'),
          addAccount: later('addAccount'),
          addPasskey: later('addPasskey'),
          user: later('user'),
          updateEmail: later('updateEmail'),
          activities: later('activities'),
          session: later('session'),
          endSession: later('endSession'),
          recovery: later('recovery'),
          beginRecovery: later('beginRecovery'),
          completeRecovery: later('completeRecovery'),
          signTypedData: later('signTypedData'),
          exportKey: later('exportKey'),
          exportWallet: later('exportWallet'),
          exportWalletAccount: later('exportWalletAccount'),
          exportPrivateKey: later('exportPrivateKey'),
        },
        connectors: [
          {
            kind: 'wallet',
            id: 'turnkey',
            name,
            icon,
            readiness: 'ready',
            connectionType: 'embeddedWallet',
            wallet: lazy,
            connect: ({ signal }) =>
              lazy
                .preload()
                .then(load)
                .then(engine => engine.connect(signal)),
            preload: lazy.preload,
          },
        ],
      }
    },
  }
}
