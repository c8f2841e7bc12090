/** A wallet with one key: the stand-in frame signs for real, though not by a threshold. */
import bs58 from 'bs58'
import type { WaasWallet } from '../../src/protocol/index.js'
import { standInWallet } from './stand-in-wallet.js'

export interface SigningWallet {
  readonly wallet: WaasWallet
  sign(message: Uint8Array): Promise<Uint8Array>
}

export async function createSigningWallet(walletId = 'w1'): Promise<SigningWallet> {
  const pair = await crypto.subtle.generateKey({ name: 'Ed25519' }, true, ['sign', 'verify'])
  if (!('privateKey' in pair)) throw new Error('an Ed25519 key is a pair')
  const publicKey = new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey))
  return {
    wallet: { ...standInWallet, walletId, publicKey, accountAddress: bs58.encode(publicKey) },
    sign: async message =>
      new Uint8Array(await crypto.subtle.sign('Ed25519', pair.privateKey, Uint8Array.from(message))),
  }
}
