/** A wallet with one key: the stand-in frame signs for real, though not by a threshold. */
import type { WaasWallet } from '../../src/protocol/index.js'
import { standInWallet } from './stand-in-wallet.js'

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
/** For 32 random bytes without leading zeros. */
function base58(bytes: Uint8Array): string {
  let number = BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
  let text = ''
  for (; number > 0n; number /= 58n) text = ALPHABET[Number(number % 58n)] + text
  return text
}

export interface SigningWallet {
  readonly wallet: WaasWallet
  sign(message: Uint8Array): Promise<Uint8Array>
}

export async function createSigningWallet(walletId = 'w1'): Promise<SigningWallet> {
  const pair = await crypto.subtle.generateKey({ name: 'Ed25519' }, true, ['sign', 'verify'])
  if (!('privateKey' in pair)) throw new Error('an Ed25519 key is a pair')
  const publicKey = new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey))
  return {
    wallet: { ...standInWallet, walletId, publicKey, accountAddress: base58(publicKey) },
    sign: async message =>
      new Uint8Array(await crypto.subtle.sign('Ed25519', pair.privateKey, Uint8Array.from(message))),
  }
}
