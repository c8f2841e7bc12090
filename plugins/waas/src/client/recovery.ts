/** Passwords, restore and export: what the page may ask the frame for, and where the user has to see it. */
import { displayContainerMissing } from '@keybay/kernel/spec'
import { fault } from '../protocol/fault.js'
import type { WalletAnswer } from '../protocol/messages.js'
import type { CallOptions } from './api.js'
import { chainOfAddress } from './chains.js'
import type { Perform, PerformOptions } from './operations.js'
import type { RecoveryApi } from './recovery-api.js'
import type { FrameHandle } from './shared-frame.js'

export interface RecoveryParts {
  readonly perform: Perform
  readonly frame: () => FrameHandle
  /** Lists the wallets: a restore needs the relay's newest word on them. */
  readonly list: (how: PerformOptions) => Promise<unknown>
  /** After an answer that does not say what the wallet is now. */
  readonly relist: (how: CallOptions) => Promise<void>
  readonly changed: (answer: WalletAnswer) => WalletAnswer
  /** Aborts with the tenure. */
  readonly signal: AbortSignal
}

function at(accountAddress: string) {
  return { chainName: chainOfAddress(accountAddress), accountAddress }
}

function shown({ signal, displayContainer }: CallOptions): PerformOptions {
  return {
    signal,
    displayContainer,
    visible: true,
  }
}
/** @throws KeybayError `display_container_missing` (S5.9): who calls from JavaScript may leave it out */
function assertContainer({ displayContainer }: CallOptions): void {
  if (!(displayContainer instanceof Element)) throw fault(displayContainerMissing)
}

export function createRecovery({ perform, frame, list, relist, changed, signal: over }: RecoveryParts): RecoveryApi {
  /** The relay may have committed, and its answer was lost: the list tells. */
  const settled = (how: CallOptions) => async (error: unknown) => {
    await relist({ signal: how.signal })
    throw error
  }
  return {
    async restoreBackup(address, { backup, mode, password, ...how }) {
      assertContainer(how)
      await list({ signal: how.signal })
      const request = { ...at(address), backup, mode, password }
      return changed(await perform('restoreBackup', request, shown(how)).catch(settled(how))).wallet
    },
    async restoreBackupFromGoogleDrive(address, { password, ...how }) {
      assertContainer(how)
      await list({ signal: how.signal })
      const request = { ...at(address), password }
      return changed(await perform('restoreBackupFromGoogleDrive', request, shown(how)).catch(settled(how))).wallet
    },
    async exportPrivateKey(address, { password, ...how }) {
      assertContainer(how)
      try {
        await perform('exportPrivateKey', { ...at(address), password }, shown(how))
      } finally {
        // It may be marked as exported, however this ended.
        await relist(how)
      }
    },
    async exportClientKeyshares(address, { password, ...how } = {}) {
      const { keyShares } = await perform('exportClientKeyshares', { ...at(address), password }, shown(how))
      return keyShares
    },
    async offlineExportPrivateKey(base64Args, { chain: chainName = 'SOL', signal } = {}) {
      const own = signal ? AbortSignal.any([over, signal]) : over
      const sender = await frame().ready()
      return sender.send('offlineExportPrivateKey', { chainName, base64Args }, { signal: own })
    },
    async setPassword(address, { newPassword, ...how } = {}) {
      await perform('setPassword', { ...at(address), newPassword }, shown(how))
      await relist(how)
    },
    async updatePassword(address, { existingPassword, newPassword, ...how } = {}) {
      const isEntered = existingPassword === undefined || newPassword === undefined
      const options = { ...shown(how), visible: isEntered }
      await perform('updatePassword', { ...at(address), existingPassword, newPassword }, options)
    },
    verifyPassword: (address, password, { signal } = {}) =>
      perform('verifyPassword', { ...at(address), password }, { signal }),
    isPasswordEncrypted: (address, { signal } = {}) => perform('isPasswordEncrypted', at(address), { signal }),
    requiresPasswordForOperation: (address, walletOperation, { signal } = {}) =>
      perform('requiresPasswordForOperation', { ...at(address), walletOperation }, { signal }),
  }
}
