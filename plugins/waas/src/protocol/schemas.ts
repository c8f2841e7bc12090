/** The schemas of all messages. They allow no missing and no unknown field, and limit every size. */
import { CHAINS, THRESHOLD_SIGNATURE_SCHEMES, WALLET_OPERATIONS } from '@keybay/kernel/spec'
import * as v from 'valibot'
import { backupFits } from './backup-scheme.js'
import { backupUnsupported } from './errors.js'
import { backupReceipt, backupTarget, bytes, flag, policy, text, traceparent, upTo, waasWallet } from './fields.js'
import type { WaasMessages } from './messages.js'
import type { MessageSpec, Protocol, Resend } from './spec.js'

/** In characters. An access token is a JWT of a few hundred; a session signature too. */
const secret = text(16_384)
const password = text(1024)
const base64 = v.pipe(text(1_000_000), v.regex(/^[A-Za-z0-9+/]*={0,2}$/))

const onChain = { chainName: v.picklist(CHAINS) }
const authority = {
  ...onChain,
  signedSessionId: secret,
  authToken: secret,
  mfaToken: v.optional(secret),
  signedMfa: v.optional(secret),
  traceparent: v.optional(traceparent),
}
const authorised = { ...authority, password: v.optional(password), driveAccounts: v.optional(upTo(text(256), 100)) }
const address = { accountAddress: text(256) }
const onAccount = { ...authorised, ...address }
const keyed = { idempotencyKey: v.optional(text(128)) }
const changing = { ...onAccount, ...keyed }
const scheme = v.picklist(THRESHOLD_SIGNATURE_SCHEMES)
const forOperation = v.strictObject({ ...onAccount, walletOperation: v.optional(v.picklist(WALLET_OPERATIONS)) })
const backup = { backup: v.optional(backupTarget) }
const newWallet = { ...authorised, ...keyed, ...backup, thresholdSignatureScheme: scheme, exportable: v.optional(flag) }

const done = v.null()
const wallet = v.strictObject({ wallet: waasWallet })
const walletWithBackup = v.strictObject({
  wallet: waasWallet,
  backup: v.optional(backupReceipt),
  recoveryCode: v.optional(text(256)),
})
const signature = v.strictObject({ signature: bytes(128) })

function message<P, R>(resend: Resend, payload: v.GenericSchema<P>, result: v.GenericSchema<R>): MessageSpec<P, R> {
  return { payload, result, resend }
}

export const waasProtocol: Protocol<WaasMessages> = {
  getWallets: message('safe', v.strictObject(authorised), v.pipe(v.array(waasWallet), v.maxLength(1000))),
  getWallet: message(
    'safe',
    forOperation,
    v.strictObject({ wallet: waasWallet, ready: flag, needs: v.array(v.picklist(['password', 'backup', 'mfa'])) }),
  ),
  createWalletAccount: message(
    'keyed',
    v.pipe(
      v.strictObject({ ...newWallet, first: v.optional(flag) }),
      v.check(request => backupFits(request.thresholdSignatureScheme, request.backup), backupUnsupported.message),
    ),
    walletWithBackup,
  ),
  requiresPasswordForOperation: message('safe', forOperation, flag),
  signMessage: message(
    'keyed',
    v.strictObject({ ...changing, message: v.union([v.pipe(v.string(), v.maxLength(65_536)), bytes(65_536)]) }),
    signature,
  ),
  signRawMessage: message(
    'keyed',
    v.strictObject({ ...changing, message: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/i)) }),
    signature,
  ),
  signTransaction: message(
    'keyed',
    v.strictObject({ ...authorised, ...keyed, senderAddress: text(256), transaction: base64 }),
    v.strictObject({ signedTransaction: base64 }),
  ),
  signTypedData: message(
    'keyed',
    v.strictObject({ ...changing, typedData: v.pipe(text(1_000_000), v.check(isJson)) }),
    signature,
  ),
  isPasswordEncrypted: message('safe', v.strictObject(onAccount), flag),
  backupKeySharesToGoogleDrive: message('keyed', v.strictObject(changing), backupReceipt),
  delegateKeyShares: message(
    'keyed',
    v.strictObject({
      ...changing,
      delegatePublicKey: v.pipe(v.instance(Uint8Array), v.length(32)),
      delegateName: v.optional(text(64)),
      policy: v.optional(policy),
    }),
    v.strictObject({ setId: text(128), sealedShare: bytes(16_384) }),
  ),
  restoreBackupFromGoogleDrive: message('keyed', v.strictObject(changing), wallet),
  refreshWalletAccountShares: message('keyed', v.strictObject({ ...changing, ...backup }), walletWithBackup),
  reshare: message(
    'keyed',
    v.pipe(
      v.strictObject({
        ...changing,
        ...backup,
        oldThresholdSignatureScheme: scheme,
        newThresholdSignatureScheme: scheme,
      }),
      v.check(request => backupFits(request.newThresholdSignatureScheme, request.backup), backupUnsupported.message),
    ),
    walletWithBackup,
  ),
  exportPrivateKey: message('never', v.strictObject(onAccount), done),
  verifyPassword: message('safe', v.strictObject({ ...onAccount, password }), flag),
  updatePassword: message(
    'keyed',
    v.strictObject({
      ...authority,
      ...address,
      ...keyed,
      existingPassword: v.optional(password),
      newPassword: v.optional(password),
    }),
    done,
  ),
  importPrivateKey: message(
    'keyed',
    v.pipe(
      v.strictObject({ ...newWallet, privateKey: v.optional(text(1024)) }),
      v.check(request => backupFits(request.thresholdSignatureScheme, request.backup), backupUnsupported.message),
    ),
    walletWithBackup,
  ),
  // Each load of the frame has a new nonce, so the message never fits the next load.
  sendAuthToken: message('never', v.strictObject({ ...onChain, authToken: secret, exchange: text(128) }), done),
  exportClientKeyshares: message(
    'safe',
    v.strictObject(onAccount),
    v.strictObject({ keyShares: v.pipe(v.array(base64), v.maxLength(100)) }),
  ),
  offlineExportPrivateKey: message(
    'safe',
    v.strictObject({ ...onChain, base64Args: base64 }),
    v.strictObject({ ...address, privateKey: text(1024) }),
  ),
  cleanup: message('safe', v.strictObject(onChain), done),
  backupKeyShares: message('keyed', v.strictObject({ ...changing, backup: backupTarget }), backupReceipt),
  verifyBackup: message('keyed', v.strictObject({ ...changing, backup: backupTarget }), backupReceipt),
  restoreBackup: message(
    'keyed',
    v.strictObject({
      ...changing,
      backup: backupTarget,
      mode: v.optional(v.picklist(['add-device', 'replace-device'])),
    }),
    wallet,
  ),
  addDevice: message('keyed', v.strictObject({ ...changing, ...backup }), wallet),
  revokeSet: message('keyed', v.strictObject({ ...changing, setId: text(128) }), wallet),
  setPolicy: message('keyed', v.strictObject({ ...changing, setId: text(128), policy: v.nullable(policy) }), wallet),
  setPassword: message(
    'keyed',
    v.strictObject({ ...authority, ...address, ...keyed, newPassword: v.optional(password) }),
    done,
  ),
  // A repeated reply has no effect.
  externalBackup: message(
    'safe',
    v.strictObject({ ...onChain, request: text(64), envelope: v.optional(bytes(65_536)), failed: v.optional(flag) }),
    done,
  ),
}
function isJson(value: string): boolean {
  try {
    JSON.parse(value)
    return true
  } catch {
    return false
  }
}
