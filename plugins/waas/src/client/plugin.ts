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
import { VERSION } from '../version.js'
import type { WaasApi, WaasEngine } from './api.js'
import type { FrameOptions } from './parameters.js'

export interface WaasOptions extends FrameOptions {
  /** Shown to the user. Default `Wallet`. */
  readonly name?: string | undefined
  /** A data URL. */
  readonly icon?: Wallet['icon'] | undefined
}
type WaasFeature = Extract<
  FeatureName,
  | 'standard:connect'
  | 'standard:disconnect'
  | 'standard:events'
  | 'solana:signMessage'
  | 'solana:signTransaction'
  | 'keybay:signRawMessage'
  | 'keybay:signTypedData'
  | 'evm:signMessage'
  | 'evm:signTypedData'
  | 'evm:signTransaction'
  | 'bitcoin:signTransaction'
  | 'keybay:backup'
  | 'keybay:export'
  | 'keybay:password'
  | 'keybay:refresh'
  | 'keybay:reshare'
>
export type WaasConnector = WalletConnector<'waas', WaasFeature>

const FEATURES = {
  'standard:connect': ['connect'],
  'standard:disconnect': ['disconnect'],
  'solana:signMessage': ['signMessage'],
  'solana:signTransaction': ['signTransaction'],
  'keybay:signRawMessage': ['signRawMessage'],
  'keybay:signTypedData': ['signTypedData'],
  'evm:signMessage': ['signMessage'],
  'evm:signTypedData': ['signTypedData'],
  'evm:signTransaction': ['signTransaction'],
  'bitcoin:signTransaction': ['signTransaction'],
  'keybay:refresh': ['refresh'],
  'keybay:reshare': ['reshare'],
  'keybay:backup': ['backup', 'verify', 'status'],
  'keybay:export': ['exportPrivateKey', 'exportClientKeyshares'],
  'keybay:password': ['setPassword', 'updatePassword', 'verifyPassword'],
} as const
// Encoded here: as text it is smaller.
/** On a ground of its own: it is seen on light, on dark and on a button. */
const ICON: Wallet['icon'] = `data:image/svg+xml;base64,${btoa("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'><rect width='24' height='24' fill='#0b6b70'/><path fill='#fff' d='M4 7h14v3h2v7H4z'/></svg>")}`

// Arguments and results apart, so that the compiler sees them belong together under one name.
type Arguments = { readonly [K in keyof WaasEngine]: Parameters<WaasEngine[K]> }
type Results = { readonly [K in keyof WaasEngine]: Awaited<ReturnType<WaasEngine[K]>> }
type Calls = { readonly [K in keyof WaasEngine]: (...args: Arguments[K]) => Promise<Results[K]> }

/**
 * Wallets whose key no single machine has, for the user who is signed in, as `keybay.waas` and the connector `waas`.
 *
 * @example
 * const keybay = createKeybay({ appName: 'Acme', baseApiUrl, plugins: [account(), email(), waas()] })
 * await keybay.connect('email', { email: 'mara@example.com' })
 * await keybay.waas.createWallet()
 * const { accounts } = await keybay.connect('waas')
 */
export function waas({
  name = 'Wallet',
  icon = ICON,
  ...options
}: WaasOptions = {}): Plugin<'waas', WaasApi, WaasConnector, 'account'> {
  return {
    id: 'waas',
    version: VERSION,
    kit: true,
    requires: ['account'],
    setup(kernel) {
      const face = { name, icon, chains: ['mainnet', 'devnet', 'testnet', 'localnet'].map(c => `solana:${c}` as const) }
      const start = (module: typeof import('./engine.js')) =>
        module.engineOf(kernel, { ...options, sdkVersion: VERSION }, face, [
          KeybayError,
          toKeybayError,
          sessionMissing,
          accountNotFound,
          userRejected,
          configInvalid,
        ])
      const load = () => import('./engine.js').then(start)
      const later =
        <K extends keyof WaasEngine>(call: K) =>
        (...args: Arguments[K]): Promise<Results[K]> => {
          // Whoever is signed in when the code has loaded may be another user.
          const { userId } = kernel.session.current
          return load()
            .then(engine => engine.as(userId))
            .then((api: Calls) => api[call](...args))
        }
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
          importPrivateKey: later('importPrivateKey'),
          wallets: later('wallets'),
          wallet: later('wallet'),
          refresh: later('refresh'),
          reshare: later('reshare'),
          backup: later('backup'),
          verifyBackup: later('verifyBackup'),
          setPolicy: later('setPolicy'),
          revokeSet: later('revokeSet'),
          delegateKeyShares: later('delegateKeyShares'),
          addDevice: later('addDevice'),
          restoreBackup: later('restoreBackup'),
          restoreBackupFromGoogleDrive: later('restoreBackupFromGoogleDrive'),
          exportPrivateKey: later('exportPrivateKey'),
          exportClientKeyshares: later('exportClientKeyshares'),
          offlineExportPrivateKey: later('offlineExportPrivateKey'),
          setPassword: later('setPassword'),
          updatePassword: later('updatePassword'),
          verifyPassword: later('verifyPassword'),
          isPasswordEncrypted: later('isPasswordEncrypted'),
          requiresPasswordForOperation: later('requiresPasswordForOperation'),
        },
        connectors: [
          {
            kind: 'wallet',
            id: 'waas',
            name,
            icon,
            readiness: 'ready',
            connectionType: 'embeddedWallet',
            wallet: lazy,
            connect: ctx =>
              lazy
                .preload()
                .then(load)
                .then(engine => engine.connect(ctx)),
            preload: lazy.preload,
          },
        ],
      }
    },
  }
}
