/** The schemas of all messages. They allow no missing and no unknown field, and limit every size. */
import { CHAINS, THRESHOLD_SIGNATURE_SCHEMES, WALLET_OPERATIONS } from '@keybay/kernel/spec'
import * as v from 'valibot'
import { backupFits } from './backup-scheme.js'
import { backupUnsupported } from './errors.js'
import { backupReceipt, backupTarget, bytes, flag, policy, text, upTo, waasWallet } from './fields.js'
import type { WaasMessages } from './messages.js'
import type { Protocol } from './spec.js'

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
const yesOrNo = { payload: v.strictObject(onAccount), result: flag, resend: 'safe' } as const

export const waasProtocol: Protocol<WaasMessages> = {
  getWallets: {
    payload: v.strictObject(authorised),
    result: v.pipe(v.array(waasWallet), v.maxLength(1000)),
    resend: 'safe',
  },
  getWallet: {
    payload: forOperation,
    result: v.strictObject({
      wallet: waasWallet,
      ready: flag,
      needs: v.array(v.picklist(['password', 'backup', 'mfa'])),
    }),
    resend: 'safe',
  },
  createWalletAccount: {
    payload: v.pipe(
      v.strictObject(newWallet),
      v.check(request => backupFits(request.thresholdSignatureScheme, request.backup), backupUnsupported.message),
    ),
    result: walletWithBackup,
    resend: 'keyed',
  },
  requiresPasswordForOperation: { payload: forOperation, result: flag, resend: 'safe' },
  signMessage: {
    payload: v.strictObject({
      ...changing,
      message: v.union([v.pipe(v.string(), v.maxLength(65_536)), bytes(65_536)]),
    }),
    result: signature,
    resend: 'keyed',
  },
  signRawMessage: {
    payload: v.strictObject({ ...changing, message: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/i)) }),
    result: signature,
    resend: 'keyed',
  },
  signTransaction: {
    payload: v.strictObject({ ...authorised, ...keyed, senderAddress: text(256), transaction: base64 }),
    result: v.strictObject({ signedTransaction: base64 }),
    resend: 'keyed',
  },
  signTypedData: {
    payload: v.strictObject({ ...changing, typedData: v.pipe(text(1_000_000), v.check(isJson)) }),
    result: signature,
    resend: 'keyed',
  },
  isPasswordEncrypted: yesOrNo,
  backupKeySharesToGoogleDrive: { payload: v.strictObject(changing), result: backupReceipt, resend: 'keyed' },
  delegateKeyShares: {
    payload: v.strictObject({
      ...changing,
      delegatePublicKey: v.pipe(v.instance(Uint8Array), v.length(32)),
      delegateName: v.optional(text(64)),
      policy: v.optional(policy),
    }),
    result: v.strictObject({ setId: text(128), sealedShare: bytes(16_384) }),
    resend: 'keyed',
  },
  restoreBackupFromGoogleDrive: { payload: v.strictObject(changing), result: wallet, resend: 'keyed' },
  refreshWalletAccountShares: {
    payload: v.strictObject({ ...changing, ...backup }),
    result: walletWithBackup,
    resend: 'keyed',
  },
  reshare: {
    payload: v.pipe(
      v.strictObject({
        ...changing,
        ...backup,
        oldThresholdSignatureScheme: scheme,
        newThresholdSignatureScheme: scheme,
      }),
      v.check(request => backupFits(request.newThresholdSignatureScheme, request.backup), backupUnsupported.message),
    ),
    result: walletWithBackup,
    resend: 'keyed',
  },
  exportPrivateKey: { payload: v.strictObject(onAccount), result: done, resend: 'never' },
  verifyPassword: { payload: v.strictObject({ ...onAccount, password }), result: flag, resend: 'safe' },
  updatePassword: {
    payload: v.strictObject({
      ...authority,
      ...address,
      ...keyed,
      existingPassword: v.optional(password),
      newPassword: v.optional(password),
    }),
    result: done,
    resend: 'keyed',
  },
  importPrivateKey: {
    payload: v.pipe(
      v.strictObject({ ...newWallet, privateKey: v.optional(text(1024)) }),
      v.check(request => backupFits(request.thresholdSignatureScheme, request.backup), backupUnsupported.message),
    ),
    result: walletWithBackup,
    resend: 'keyed',
  },
  // Each load of the frame has a new nonce, so the message never fits the next load.
  sendAuthToken: {
    payload: v.strictObject({ ...onChain, authToken: secret, exchange: text(128) }),
    result: done,
    resend: 'never',
  },
  exportClientKeyshares: {
    payload: v.strictObject(onAccount),
    result: v.strictObject({ keyShares: v.pipe(v.array(base64), v.maxLength(100)) }),
    resend: 'safe',
  },
  offlineExportPrivateKey: {
    payload: v.strictObject({ ...onChain, base64Args: base64 }),
    result: v.strictObject({ ...address, privateKey: text(1024) }),
    resend: 'safe',
  },
  cleanup: { payload: v.strictObject(onChain), result: done, resend: 'safe' },
  backupKeyShares: {
    payload: v.strictObject({ ...changing, backup: backupTarget }),
    result: backupReceipt,
    resend: 'keyed',
  },
  verifyBackup: {
    payload: v.strictObject({ ...changing, backup: backupTarget }),
    result: backupReceipt,
    resend: 'keyed',
  },
  restoreBackup: {
    payload: v.strictObject({
      ...changing,
      backup: backupTarget,
      mode: v.optional(v.picklist(['add-device', 'replace-device'])),
    }),
    result: wallet,
    resend: 'keyed',
  },
  addDevice: { payload: v.strictObject({ ...changing, ...backup }), result: wallet, resend: 'keyed' },
  revokeSet: { payload: v.strictObject({ ...changing, setId: text(128) }), result: wallet, resend: 'keyed' },
  setPolicy: {
    payload: v.strictObject({ ...changing, setId: text(128), policy: v.nullable(policy) }),
    result: wallet,
    resend: 'keyed',
  },
  setPassword: {
    payload: v.strictObject({ ...authority, ...address, ...keyed, newPassword: v.optional(password) }),
    result: done,
    resend: 'keyed',
  },
  // A repeated reply has no effect.
  externalBackup: {
    payload: v.strictObject({
      ...onChain,
      request: text(64),
      envelope: v.optional(bytes(65_536)),
      failed: v.optional(flag),
    }),
    result: done,
    resend: 'safe',
  },
}
function isJson(value: string): boolean {
  try {
    JSON.parse(value)
    return true
  } catch {
    return false
  }
}
