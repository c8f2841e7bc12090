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
import { accountUrl } from '../../configuration/paths.js'
import { signMessage, signRawMessage, signTransaction } from '../chains/solana/sign.js'
import { readAccountName } from '../core/account-name.js'
import { openChain } from '../core/chain-kit.js'
import type { Frame, LoadUpkeep } from '../core/frame.js'
import { type Job, startJob } from '../core/job.js'
import { loadPart } from '../core/load-part.js'
import { createWalletAccount, importPrivateKey } from './create.js'
import { exportClientKeyshares, exportPrivateKey, offlineExportPrivateKey } from './export.js'
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
    frame.heights.follow(context)
    const progress: HandlerContext['progress'] = step => {
      frame.screen.step(step)
      context.progress(step)
    }
    return run(await startJob(frame, type, payload, { ...context, progress }), payload)
  }
}

type Upkeep = Awaited<ReturnType<LoadUpkeep>>

/** As `starting`, for an operation that loads at its first use. */
function loading<T extends WaasMessageType>(
  frame: Frame,
  type: T,
  pick: (upkeep: Upkeep) => (job: Job, payload: PayloadOf<T>) => Promise<ResultOf<T>>,
) {
  return starting(frame, type, async (job, payload) => pick(await loadPart(frame.loadUpkeep))(job, payload))
}

export function createHandlers(frame: Frame, connection: PortFromPage): Handlers<WaasMessages> {
  return {
    sendAuthToken({ exchange, authToken }) {
      connection.checkExchange(exchange)
      const { baseApiUrl, environmentId } = frame.configuration
      const url = accountUrl(baseApiUrl, environmentId)
      const name = frame.screen.visible ? readAccountName(url, authToken) : undefined
      // Shares that are open in memory belong to the previous user.
      if (frame.session.take(authToken, name)) frame.signers.forget()
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
    refreshWalletAccountShares: loading(frame, 'refreshWalletAccountShares', upkeep => upkeep.refreshShares),
    reshare: loading(frame, 'reshare', upkeep => upkeep.reshare),
    backupKeyShares: loading(frame, 'backupKeyShares', upkeep => upkeep.backupKeyShares),
    backupKeySharesToGoogleDrive: loading(frame, 'backupKeySharesToGoogleDrive', upkeep => upkeep.backupToGoogleDrive),
    verifyBackup: loading(frame, 'verifyBackup', upkeep => upkeep.verifyBackup),
    addDevice: loading(frame, 'addDevice', upkeep => upkeep.addDevice),
    delegateKeyShares: loading(frame, 'delegateKeyShares', upkeep => upkeep.delegateKeyShares),
    revokeSet: loading(frame, 'revokeSet', upkeep => upkeep.revokeSet),
    setPolicy: loading(frame, 'setPolicy', upkeep => upkeep.setPolicy),
    restoreBackup: loading(frame, 'restoreBackup', upkeep => upkeep.restoreBackup),
    restoreBackupFromGoogleDrive: loading(
      frame,
      'restoreBackupFromGoogleDrive',
      upkeep => upkeep.restoreFromGoogleDrive,
    ),
    exportPrivateKey: starting(frame, 'exportPrivateKey', exportPrivateKey),
    exportClientKeyshares: starting(frame, 'exportClientKeyshares', exportClientKeyshares),
    offlineExportPrivateKey: payload => offlineExportPrivateKey(frame, payload),
    setPassword: loading(frame, 'setPassword', upkeep => upkeep.setPassword),
    updatePassword: loading(frame, 'updatePassword', upkeep => upkeep.updatePassword),
    verifyPassword: loading(frame, 'verifyPassword', upkeep => upkeep.verifyPassword),
    requiresPasswordForOperation: payload => requiresPasswordForOperation(frame, payload),
    isPasswordEncrypted: payload => isEncryptedHere(frame, payload),
  }
}
