/** Maps each message type to its handler. The receiver rejects types without one. */
import { KeybayError, unsupportedChain } from '@keybay/kernel/spec'
import type { Handlers, PortFromPage, WaasMessages } from '@keybay/waas/protocol'
import { signMessage, signRawMessage, signTransaction } from '../chains/solana/sign.js'
import { openChain } from '../core/chain-kit.js'
import type { Frame } from '../core/frame.js'
import { backupKeyShares, backupToGoogleDrive, verifyBackup } from './backup.js'
import { createWalletAccount, importPrivateKey } from './create.js'
import { delegateKeyShares } from './delegate.js'
import { exportClientKeyshares, exportPrivateKey, offlineExportPrivateKey } from './export.js'
import { addDevice } from './join.js'
import { setPassword, updatePassword, verifyPassword } from './password.js'
import { refreshShares, reshare } from './reshare.js'
import { restoreBackup, restoreFromGoogleDrive } from './restore.js'
import { revokeSet, setPolicy } from './sets.js'
import { getWallet, getWallets, isPasswordEncrypted, requiresPasswordForOperation } from './wallets.js'
import { warmUp } from './warm-up.js'

export function createHandlers(frame: Frame, connection: PortFromPage): Handlers<WaasMessages> {
  return {
    sendAuthToken({ exchange, authToken }) {
      connection.checkExchange(exchange)
      // Shares that are open in memory belong to the previous user.
      if (frame.session.take(authToken)) frame.signers.forget()
      warmUp(frame, authToken)
      return null
    },
    externalBackup(answer) {
      frame.hostKeeper.answer(answer)
      return null
    },
    cleanup() {
      frame.signers.forget()
      frame.session.forget()
      return null
    },
    getWallets: (payload, context) => getWallets(frame, payload, context),
    getWallet: (payload, context) => getWallet(frame, payload, context),
    createWalletAccount: (payload, context) => createWalletAccount(frame, payload, context),
    importPrivateKey: (payload, context) => importPrivateKey(frame, payload, context),
    async signMessage(payload, context) {
      const kit = await openChain(frame, payload.chainName)
      return (kit?.signMessage ?? signMessage)(frame, payload, context)
    },
    signRawMessage: (payload, context) => signRawMessage(frame, payload, context),
    async signTransaction(payload, context) {
      const kit = await openChain(frame, payload.chainName)
      return (kit?.signTransaction ?? signTransaction)(frame, payload, context)
    },
    async signTypedData(payload, context) {
      const kit = await openChain(frame, payload.chainName)
      // Solana has no typed data.
      if (!kit) throw new KeybayError(unsupportedChain)
      return kit.signTypedData(frame, payload, context)
    },
    refreshWalletAccountShares: (payload, context) => refreshShares(frame, payload, context),
    reshare: (payload, context) => reshare(frame, payload, context),
    backupKeyShares: (payload, context) => backupKeyShares(frame, payload, context),
    backupKeySharesToGoogleDrive: (payload, context) => backupToGoogleDrive(frame, payload, context),
    verifyBackup: (payload, context) => verifyBackup(frame, payload, context),
    addDevice: (payload, context) => addDevice(frame, payload, context),
    delegateKeyShares: (payload, context) => delegateKeyShares(frame, payload, context),
    revokeSet: (payload, context) => revokeSet(frame, payload, context),
    setPolicy: (payload, context) => setPolicy(frame, payload, context),
    restoreBackup: (payload, context) => restoreBackup(frame, payload, context),
    restoreBackupFromGoogleDrive: (payload, context) => restoreFromGoogleDrive(frame, payload, context),
    exportPrivateKey: (payload, context) => exportPrivateKey(frame, payload, context),
    exportClientKeyshares: (payload, context) => exportClientKeyshares(frame, payload, context),
    offlineExportPrivateKey: payload => offlineExportPrivateKey(frame, payload),
    setPassword: (payload, context) => setPassword(frame, payload, context),
    updatePassword: (payload, context) => updatePassword(frame, payload, context),
    verifyPassword: (payload, context) => verifyPassword(frame, payload, context),
    requiresPasswordForOperation: payload => requiresPasswordForOperation(frame, payload),
    isPasswordEncrypted: payload => isPasswordEncrypted(frame, payload),
  }
}
