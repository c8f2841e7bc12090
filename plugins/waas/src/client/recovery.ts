/** Passwords, restore and export. */
import { displayContainerMissing, KeybayError } from '@keybay/kernel/spec'
import { joinSignals } from './abort.js'
import type { CallOptions } from './api.js'
import { onAccount } from './chains.js'
import type { PerformOptions } from './operations.js'
import type { RecoveryApi } from './recovery-api.js'
import { pickDisplay, type UserWallets } from './user-wallets.js'

function inVisibleFrame(options: CallOptions): PerformOptions {
  return { ...pickDisplay(options), visible: true }
}

/** @throws KeybayError `display_container_missing` (S5.9): callers without TypeScript may leave it out */
function assertContainer({ displayContainer }: CallOptions): void {
  if (!(displayContainer instanceof Element)) throw new KeybayError(displayContainerMissing)
}

function createRestore(user: UserWallets): Pick<RecoveryApi, 'restoreBackup' | 'restoreBackupFromGoogleDrive'> {
  const { perform } = user
  /** A restore needs the relay's latest state. If the response is lost, the list tells whether the restore counts. */
  const restore = async (options: CallOptions, run: () => Promise<Parameters<typeof user.update>[0]>) => {
    const { signal } = options
    assertContainer(options)
    await user.list({ signal })
    const result = await run().catch(async (error: unknown) => {
      await user.relist({ signal })
      throw error
    })
    return user.update(result).wallet
  }
  return {
    restoreBackup: async (address, { backup, mode, password, ...options }) =>
      restore(options, () =>
        perform('restoreBackup', { ...onAccount(address), backup, mode, password }, inVisibleFrame(options)),
      ),
    restoreBackupFromGoogleDrive: async (address, { password, ...options }) =>
      restore(options, () =>
        perform('restoreBackupFromGoogleDrive', { ...onAccount(address), password }, inVisibleFrame(options)),
      ),
  }
}

function createExport(
  user: UserWallets,
): Pick<RecoveryApi, 'exportPrivateKey' | 'exportClientKeyshares' | 'offlineExportPrivateKey'> {
  const { perform, tenure } = user
  return {
    async exportPrivateKey(address, { password, ...options }) {
      assertContainer(options)
      try {
        await perform('exportPrivateKey', { ...onAccount(address), password }, inVisibleFrame(options))
      } finally {
        await user.relist(options) // a failed export may have marked the wallet as exported
      }
    },
    async exportClientKeyshares(address, { password, ...options } = {}) {
      const request = { ...onAccount(address), password }
      return (await perform('exportClientKeyshares', request, inVisibleFrame(options))).keyShares
    },
    async offlineExportPrivateKey(base64Args, { chain: chainName = 'SOL', signal } = {}) {
      const sender = await user.frame().ready()
      const options = { signal: joinSignals(tenure.signal, signal) }
      return sender.send('offlineExportPrivateKey', { chainName, base64Args }, options)
    },
  }
}

export function createRecovery(user: UserWallets): RecoveryApi {
  const { perform } = user
  return {
    ...createRestore(user),
    ...createExport(user),
    async setPassword(address, { newPassword, ...options } = {}) {
      await perform('setPassword', { ...onAccount(address), newPassword }, inVisibleFrame(options))
      await user.relist(options)
    },
    async updatePassword(address, { existingPassword, newPassword, ...options } = {}) {
      const visible = existingPassword === undefined || newPassword === undefined
      const request = { ...onAccount(address), existingPassword, newPassword }
      await perform('updatePassword', request, { ...pickDisplay(options), visible })
    },
    verifyPassword: (address, password, { signal } = {}) =>
      perform('verifyPassword', { ...onAccount(address), password }, { signal }),
    isPasswordEncrypted: (address, { signal } = {}) => perform('isPasswordEncrypted', onAccount(address), { signal }),
    requiresPasswordForOperation: (address, walletOperation, { signal } = {}) =>
      perform('requiresPasswordForOperation', { ...onAccount(address), walletOperation }, { signal }),
  }
}
