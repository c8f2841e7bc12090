/** One sound payload and one sound result per message. */
import type { PayloadOf, ResultOf, WaasMessageType } from '../../src/protocol/index.js'
import { authority, onAccount, wallet } from './support.js'

type Samples = { readonly [T in WaasMessageType]: readonly [payload: PayloadOf<T>, result: ResultOf<T>] }
const { chainName } = authority
const policy = { programs: [], messages: false, dailyLimit: 5n }
const scheme = { thresholdSignatureScheme: 'TWO_OF_THREE' } as const
const signed = { signature: new Uint8Array(64).fill(1) }
const receipt = { provider: 'googleDrive', epoch: 1, backedUpAt: 5 } as const
const address = onAccount.accountAddress

/** The specification's, in its order. */
const SPECIFIED = {
  getWallets: [authority, [wallet]],
  getWallet: [
    { ...onAccount, walletOperation: 'NO_OPERATION' },
    { wallet, ready: false, needs: ['backup'] },
  ],
  createWalletAccount: [{ ...authority, ...scheme, password: 'p' }, { wallet }],
  requiresPasswordForOperation: [{ ...onAccount, walletOperation: 'SIGN_MESSAGE' }, true],
  signMessage: [{ ...onAccount, message: 'hello' }, signed],
  signRawMessage: [{ ...onAccount, message: 'ab'.repeat(32) }, signed],
  signTransaction: [{ ...authority, senderAddress: address, transaction: 'AQID' }, { signedTransaction: 'AQIE' }],
  signTypedData: [{ ...onAccount, typedData: '{"domain":{}}' }, signed],
  isPasswordEncrypted: [onAccount, false],
  backupKeySharesToGoogleDrive: [onAccount, receipt],
  delegateKeyShares: [
    { ...onAccount, delegatePublicKey: new Uint8Array(32), delegateName: 'Salaries', policy },
    { setId: 's2', sealedShare: new Uint8Array(80) },
  ],
  restoreBackupFromGoogleDrive: [onAccount, { wallet }],
  refreshWalletAccountShares: [
    { ...onAccount, backup: { provider: 'dynamic' } },
    { wallet, backup: receipt },
  ],
  reshare: [
    { ...onAccount, oldThresholdSignatureScheme: 'TWO_OF_TWO', newThresholdSignatureScheme: 'TWO_OF_THREE' },
    { wallet },
  ],
  exportPrivateKey: [onAccount, null],
  verifyPassword: [{ ...onAccount, password: 'p' }, true],
  updatePassword: [{ ...onAccount, existingPassword: 'p', newPassword: 'q' }, null],
  importPrivateKey: [{ ...authority, ...scheme, privateKey: '5Kd3' }, { wallet }],
  sendAuthToken: [{ chainName, authToken: 'token', exchange: 'e' }, null],
  exportClientKeyshares: [onAccount, { keyShares: ['AQID'] }],
  offlineExportPrivateKey: [
    { chainName, base64Args: 'e30=' },
    { accountAddress: address, privateKey: '5Kd3' },
  ],
  cleanup: [{ chainName }, null],
} as const satisfies Partial<Samples>

export const samples: Samples = {
  ...SPECIFIED,
  backupKeyShares: [{ ...onAccount, backup: { provider: 'external' } }, receipt],
  verifyBackup: [{ ...onAccount, backup: { provider: 'dynamic' } }, receipt],
  restoreBackup: [{ ...onAccount, backup: { provider: 'icloud', password: 'p' }, mode: 'replace-device' }, { wallet }],
  addDevice: [onAccount, { wallet }],
  revokeSet: [{ ...onAccount, setId: 's2' }, { wallet }],
  setPolicy: [{ ...onAccount, setId: 's1', policy }, { wallet }],
  setPassword: [{ ...onAccount, newPassword: 'q' }, null],
  externalBackup: [{ chainName, request: 'r', envelope: new Uint8Array(80) }, null],
}
/** In the order of the specification, section 7. */
export const SPECIFIED_TYPES: readonly WaasMessageType[] = Object.keys(SPECIFIED).filter(
  (type): type is keyof typeof SPECIFIED => type in SPECIFIED,
)
