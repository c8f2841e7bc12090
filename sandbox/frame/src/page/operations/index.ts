/** Maps each message type to its handler. The receiver rejects types without one. */
import { KeybayError, unsupportedChain } from '@keybay/kernel/spec'
import type {
  Authorised,
  HandlerContext,
  Handlers,
  PayloadOf,
  PortFromPage,
  ResultOf,
  WaasMessages,
  WaasMessageType,
} from '@keybay/waas/protocol'
import { signMessage, signRawMessage, signTransaction } from '../chains/solana/sign.js'
import { openChain } from '../core/chain-kit.js'
import type { Frame } from '../core/frame.js'
import { type Job, startJob } from '../core/job.js'
import { backupKeyShares, backupToGoogleDrive, verifyBackup } from './backup.js'
import { createWalletAccount, importPrivateKey } from './create.js'
import { delegateKeyShares } from './delegate.js'
import { exportClientKeyshares, exportPrivateKey, offlineExportPrivateKey } from './export.js'
import { addDevice } from './join.js'
import { setPassword, updatePassword, verifyPassword } from './password.js'
import { refreshShares, reshare } from './reshare.js'
import { restoreBackup, restoreFromGoogleDrive } from './restore.js'
import { revokeSet, setPolicy } from './sets.js'
import { getWallet, getWallets, isEncryptedHere, requiresPasswordForOperation } from './wallets.js'
import { warmUp } from './warm-up.js'

/** Returns a handler that starts a job for each message, and clears its progress when the job ends. */
function starting<T extends WaasMessageType>(
  frame: Frame,
  type: T,
  run: (job: Job, payload: PayloadOf<T>) => Promise<ResultOf<T>>,
) {
  return async (payload: PayloadOf<T> & Authorised, context: HandlerContext) => {
    context.atEnd(frame.screen.clear)
    return run(await startJob(frame, type, payload, context), payload)
  }
}

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
    getWallets: starting(frame, 'getWallets', getWallets),
    getWallet: starting(frame, 'getWallet', getWallet),
    createWalletAccount: starting(frame, 'createWalletAccount', createWalletAccount),
    importPrivateKey: starting(frame, 'importPrivateKey', importPrivateKey),
    signMessage: starting(frame, 'signMessage', async (job, payload) => {
      const kit = await openChain(frame, payload.chainName)
      return (kit?.signMessage ?? signMessage)(job, payload)
    }),
    signRawMessage: starting(frame, 'signRawMessage', signRawMessage),
    signTransaction: starting(frame, 'signTransaction', async (job, payload) => {
      const kit = await openChain(frame, payload.chainName)
      return (kit?.signTransaction ?? signTransaction)(job, payload)
    }),
    signTypedData: starting(frame, 'signTypedData', async (job, payload) => {
      const kit = await openChain(frame, payload.chainName)
      // Solana has no typed data.
      if (!kit) throw new KeybayError(unsupportedChain)
      return kit.signTypedData(job, payload)
    }),
    refreshWalletAccountShares: starting(frame, 'refreshWalletAccountShares', refreshShares),
    reshare: starting(frame, 'reshare', reshare),
    backupKeyShares: starting(frame, 'backupKeyShares', backupKeyShares),
    backupKeySharesToGoogleDrive: starting(frame, 'backupKeySharesToGoogleDrive', backupToGoogleDrive),
    verifyBackup: starting(frame, 'verifyBackup', verifyBackup),
    addDevice: starting(frame, 'addDevice', addDevice),
    delegateKeyShares: starting(frame, 'delegateKeyShares', delegateKeyShares),
    revokeSet: starting(frame, 'revokeSet', revokeSet),
    setPolicy: starting(frame, 'setPolicy', setPolicy),
    restoreBackup: starting(frame, 'restoreBackup', restoreBackup),
    restoreBackupFromGoogleDrive: starting(frame, 'restoreBackupFromGoogleDrive', restoreFromGoogleDrive),
    exportPrivateKey: starting(frame, 'exportPrivateKey', exportPrivateKey),
    exportClientKeyshares: starting(frame, 'exportClientKeyshares', exportClientKeyshares),
    offlineExportPrivateKey: payload => offlineExportPrivateKey(frame, payload),
    setPassword: starting(frame, 'setPassword', setPassword),
    updatePassword: starting(frame, 'updatePassword', updatePassword),
    verifyPassword: starting(frame, 'verifyPassword', verifyPassword),
    requiresPasswordForOperation: payload => requiresPasswordForOperation(frame, payload),
    isPasswordEncrypted: payload => isEncryptedHere(frame, payload),
  }
}
