import type { WaasWallet } from '../../src/protocol/index.js'

/** A wallet as a frame describes it. Its key does not exist. */
export const standInWallet: WaasWallet = {
  walletId: 'w1',
  accountAddress: '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU',
  chainName: 'SOL',
  publicKey: new Uint8Array(32).fill(7),
  thresholdSignatureScheme: 'TWO_OF_THREE',
  setId: 's1',
  epoch: 0,
  signing: 'threshold',
  origin: 'seed',
  exportable: true,
  exported: false,
  here: true,
  passwordEncrypted: false,
  backup: { state: 'none', providers: [] },
  sets: [{ setId: 's1', kind: 'primary', createdAt: 1, revoked: false, here: true }],
  createdAt: 1,
}
