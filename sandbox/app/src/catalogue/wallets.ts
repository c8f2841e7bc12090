/** A wallet that does not exist. */
import type { WaasWallet } from '@keybay/waas'

export const OTHER_ADDRESS = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM'
export const WALLET: WaasWallet = {
  walletId: 'catalogue',
  accountAddress: 'So11111111111111111111111111111111111111112',
  chainName: 'SOL',
  publicKey: new Uint8Array(32),
  thresholdSignatureScheme: 'TWO_OF_THREE',
  setId: 'catalogue',
  epoch: 0,
  signing: 'threshold',
  origin: 'dkg',
  exportable: false,
  exported: false,
  here: true,
  passwordEncrypted: false,
  backup: { state: 'none', providers: [] },
  sets: [{ setId: 'catalogue', kind: 'primary', createdAt: 0, revoked: false, here: true }],
  createdAt: 0,
}
