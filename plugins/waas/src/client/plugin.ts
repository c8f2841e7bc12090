/** The plugin: one connector and the API, both lazy. Everything else loads with the first call. */
import { type FeatureName, lazyApi, lazyWallet, loadOnce, type Plugin, type WalletConnector } from '@keybay/kernel'
import type { Wallet } from '@wallet-standard/base'
import { VERSION } from '../version.js'
import type { WaasApi, WaasEngine } from './api.js'
import type { FrameOptions } from './parameters.js'

export interface WaasOptions extends FrameOptions {
  /** Shown to the user. Default `Wallet`. */
  readonly name?: string | undefined
  /** A data URL. */
  readonly icon?: Wallet['icon'] | undefined
  /**
   * Which users get a wallet when they sign in, however they do: those with no wallet at all (the default), or also those
   * with only a wallet from elsewhere. The relay makes one, whichever tab or device is first. With `off`, the app creates
   * wallets itself.
   */
  readonly createOnLogin?: CreateOnLogin | undefined
}
export type CreateOnLogin = 'users-without-wallets' | 'all-users' | 'off'
export type WaasFeature = Extract<
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
/** Has its own background, so that it is visible on light, on dark and on a button. */
const ICON_SVG =
  "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 12 12'><path fill='#0b6b70' d='M0 0h12v12H0z'/><path fill='#fff' d='M2 4h7v1h1v4H2z'/></svg>"

const METHODS = [
  'createWallet',
  'importPrivateKey',
  'wallets',
  'wallet',
  'refresh',
  'reshare',
  'backup',
  'verifyBackup',
  'setPolicy',
  'revokeSet',
  'delegateKeyShares',
  'addDevice',
  'restoreBackup',
  'restoreBackupFromGoogleDrive',
  'exportPrivateKey',
  'exportClientKeyshares',
  'offlineExportPrivateKey',
  'setPassword',
  'updatePassword',
  'verifyPassword',
  'isPasswordEncrypted',
  'requiresPasswordForOperation',
] as const satisfies readonly (keyof WaasEngine)[]

/** With `signal`, requests end and close the wallet's window when their signal aborts. */
const FACTS = {
  'solana:signMessage': { signal: true },
  'solana:signTransaction': { supportedTransactionVersions: ['legacy', 0], signal: true },
  'keybay:signRawMessage': { signal: true },
  'keybay:signTypedData': { signal: true },
  'evm:signMessage': { signal: true },
  'evm:signTypedData': { signal: true },
  'evm:signTransaction': { signal: true },
  'bitcoin:signTransaction': { signal: true },
} as const

/**
 * Adds embedded wallets of the signed-in user, as `keybay.waas` and the connector `waas`. No machine holds a whole key.
 *
 * @example
 * const keybay = createKeybay({ appName: 'Acme', baseApiUrl, plugins: [account(), email(), waas()] })
 * await keybay.connect('email', { email: 'mara@example.com' }) // creates the first wallet in the background
 * const { accounts } = await keybay.connect('waas')
 */
export function waas({
  name = 'Wallet',
  icon = `data:image/svg+xml;base64,${btoa(ICON_SVG)}`,
  ...options
}: WaasOptions = {}): Plugin<'waas', WaasApi, WaasConnector, 'account'> {
  return {
    id: 'waas',
    version: VERSION,
    kit: true,
    requires: ['account'],
    setup(kernel) {
      const face = {
        name,
        icon,
        chains: ['solana:mainnet', 'solana:devnet', 'solana:testnet', 'solana:localnet'] as const,
      }
      const load = loadOnce(() =>
        import('./engine.js').then(module => module.createEngine(kernel, { ...options, sdkVersion: VERSION }, face)),
      )
      const loadApi = async () => {
        // Read before the code loads: another user may be signed in after that.
        const { userId } = kernel.session.current
        return (await load()).as(userId)
      }
      const follow = (opening?: { readonly connectorId: string }) =>
        import('./create-on-login.js').then(module => module.follow(kernel, load, options, opening))
      if (options.createOnLogin !== 'off') {
        kernel.events.on('connection:opening', follow)
        kernel.onStart(() => kernel.session.subscribe(follow))
      }
      const wallet = lazyWallet({ ...face, features: FEATURES, facts: FACTS }, () =>
        load().then(engine => engine.wallet),
      )
      return {
        api: lazyApi(loadApi, METHODS),
        connectors: [
          {
            kind: 'wallet',
            id: 'waas',
            name,
            icon,
            readiness: 'ready',
            connectionType: 'embeddedWallet',
            wallet,
            async connect(context) {
              await wallet.preload()
              return (await load()).connect(context)
            },
            preload: wallet.preload,
          },
        ],
      }
    },
  }
}
