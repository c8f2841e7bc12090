/** Second factors that the user proves in the visible frame. */
import { type MfaAction, sha256, toBase64Url, utf8 } from '@keybay/kernel/spec'
import type { WaasMessageType } from './messages.js'
import type { Operation } from './operation.js'

/** The operation that the session key signs, with the request's hash, to let the frame ask for the factor. */
export const FACTOR_OPERATION = 'mfa'

/** Operations whose second factor the frame can ask for. The app asks for all others. */
export const FACTORS: { readonly [T in WaasMessageType]?: MfaAction } = {
  signMessage: 'wallet.waas.sign',
  signRawMessage: 'wallet.waas.sign',
  signTransaction: 'wallet.waas.sign',
  signTypedData: 'wallet.waas.sign',
  backupKeyShares: 'wallet.waas.export',
  backupKeySharesToGoogleDrive: 'wallet.waas.export',
  refreshWalletAccountShares: 'wallet.waas.refresh',
  reshare: 'wallet.waas.reshare',
  setPolicy: 'wallet.waas.reshare',
  exportPrivateKey: 'wallet.waas.export',
  exportClientKeyshares: 'wallet.waas.export',
  restoreBackup: 'wallet.waas.reshare',
  restoreBackupFromGoogleDrive: 'wallet.waas.reshare',
  addDevice: 'wallet.waas.reshare',
  delegateKeyShares: 'wallet.waas.reshare',
}

/** Returns the hash that an MFA token is bound to, as the relay computes it: base64url SHA-256. */
export async function requestHashOf({ operation, wallet = '', hash }: Operation): Promise<string> {
  return toBase64Url(await sha256(utf8(JSON.stringify([operation, wallet, hash]))))
}
