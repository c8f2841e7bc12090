/** Creates, lists and changes the wallets of one user. */
import type { ThresholdSignatureScheme } from '@keybay/kernel/spec'
import { assertBackupFits } from '../protocol/backup-scheme.js'
import type { BackupTarget, WaasWallet } from '../protocol/wallet.js'
import type { CallOptions, CreateWalletOptions, WaasEngine } from './api.js'
import { onAccount } from './chains.js'
import { ONE_TOUCH } from './first-wallet.js'
import type { RecoveryApi } from './recovery-api.js'
import { getEnabledSettings, pickDisplay, type UserWallets } from './user-wallets.js'

type Creation = Pick<WaasEngine, 'createWallet' | 'importPrivateKey' | 'wallets' | 'wallet'>
type Changes = Omit<WaasEngine, keyof Creation | keyof RecoveryApi>

/** Runs before anything reaches the frame. @throws KeybayError `embedded_wallets_disabled`, `backup_unsupported` */
async function chooseScheme(user: UserWallets, options: CreateWalletOptions): Promise<ThresholdSignatureScheme> {
  const settings = await getEnabledSettings(user.kernel, options)
  const { scheme = settings.thresholdSignatureScheme, backup } = options
  assertBackupFits(scheme, backup)
  return scheme
}

export function createWalletCreation(user: UserWallets): Creation {
  const describe = async (options: CreateWalletOptions) => {
    const { exportable, backup, password, idempotencyKey } = options
    const thresholdSignatureScheme = await chooseScheme(user, options)
    const request = { thresholdSignatureScheme, exportable, backup, password }
    return idempotencyKey === undefined ? request : { ...request, idempotencyKey }
  }
  return {
    async createWallet(options = {}) {
      const request = { chainName: options.chain ?? 'SOL', ...(await describe(options)) }
      return user.update(await user.perform('createWalletAccount', request, pickDisplay(options)))
    },
    async importPrivateKey(options = {}) {
      const { privateKey } = options
      const request = { chainName: 'SOL', ...(await describe(options)), privateKey } as const
      // Without a key the user enters it in the visible frame, where the page cannot read it.
      const display = { ...pickDisplay(options), visible: privateKey === undefined }
      return user.update(await user.perform('importPrivateKey', request, display))
    },
    wallets: (options = {}) => user.list(pickDisplay(options)),
    wallet: (address, walletOperation, { password, ...options } = {}) =>
      user.perform('getWallet', { ...onAccount(address), walletOperation, password }, pickDisplay(options)),
  }
}

export function createWalletChanges(user: UserWallets): Changes {
  const { perform } = user
  /** Finds a wallet of any chain, also of a chain that is not listed. */
  const find = async (address: string, options: CallOptions): Promise<WaasWallet> =>
    (await perform('getWallet', onAccount(address), pickDisplay(options))).wallet
  /** Returns the backup that another tab made in the same time. @throws `error` if there is none */
  const findBackup = async (address: string, { provider }: BackupTarget, options: CallOptions, error: unknown) => {
    await user.relist(options)
    const { backup, epoch } = (await find(address, options).catch(() => undefined)) ?? {}
    const isThere = backup?.state === 'current' && backup.providers.includes(provider)
    if (!isThere || epoch === undefined || backup.backedUpAt === undefined) throw error
    return { provider, epoch, backedUpAt: backup.backedUpAt }
  }
  return {
    async refresh(address, { backup, password, ...options } = {}) {
      const request = { ...onAccount(address), backup, password }
      return user.update(await perform('refreshWalletAccountShares', request, pickDisplay(options)))
    },
    async reshare(address, { to, backup, password, ...options }) {
      assertBackupFits(to, backup)
      const { thresholdSignatureScheme: old } = await find(address, options)
      const schemes = { oldThresholdSignatureScheme: old, newThresholdSignatureScheme: to }
      const request = { ...onAccount(address), ...schemes, backup, password }
      return user.update(await perform('reshare', request, pickDisplay(options)))
    },
    async backup(address, { backup: place, reshare = place === undefined, password, ...options } = {}) {
      const backup = place ?? ONE_TOUCH
      // The user always has to touch a passkey or save a code, so that the hidden frame is of no use.
      const display = { ...pickDisplay(options), visible: place === undefined }
      const { thresholdSignatureScheme: old } = await find(address, options)
      const request = { ...onAccount(address), password }
      if (old === 'TWO_OF_TWO' && reshare) {
        const schemes = { oldThresholdSignatureScheme: old, newThresholdSignatureScheme: 'TWO_OF_THREE' } as const
        const made = await perform('reshare', { ...request, ...schemes, backup }, display).then(
          result => user.update(result).backup,
          error => findBackup(address, backup, options, error),
        )
        if (made) return made
      }
      const receipt =
        backup.provider === 'googleDrive' && backup.password === undefined
          ? await perform('backupKeySharesToGoogleDrive', request, display)
          : await perform('backupKeyShares', { ...request, backup }, display)
      await user.relist(options)
      return receipt
    },
    verifyBackup: (address, { backup, password, ...options }) =>
      perform('verifyBackup', { ...onAccount(address), backup, password }, pickDisplay(options)).finally(
        () => user.relist(options), // a missing backup changes the wallet too
      ),
    async setPolicy(address, policy, { setId, password, ...options } = {}) {
      const request = { ...onAccount(address), setId: setId ?? (await find(address, options)).setId, policy, password }
      return user.update(await perform('setPolicy', request, pickDisplay(options))).wallet
    },
    async revokeSet(address, setId, { password, ...options } = {}) {
      const request = { ...onAccount(address), setId, password }
      return user.update(await perform('revokeSet', request, pickDisplay(options))).wallet
    },
    delegateKeyShares(address, { delegatePublicKey, delegateName, policy, password, ...options }) {
      const request = { ...onAccount(address), delegatePublicKey, delegateName, policy, password }
      return perform('delegateKeyShares', request, { ...pickDisplay(options), visible: true })
    },
    async addDevice(address, { backup, password, ...options } = {}) {
      const request = { ...onAccount(address), backup, password }
      return user.update(await perform('addDevice', request, pickDisplay(options))).wallet
    },
  }
}
