/** Wallet derivation: a BIP-39 mnemonic, and accounts by path (BIP-32 on secp256k1, SLIP-10 on ed25519). */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { HDKey as Bip32 } from '@scure/bip32'
import { generateMnemonic, mnemonicToSeedSync } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import bs58 from 'bs58'
import { addr } from 'micro-eth-signer'
import { HDKey as Slip10 } from 'micro-key-producer/slip10.js'
import { CustodyError, invalidRequest } from '../http/errors.js'
import { ed25519PublicKey } from './sign.js'

export const CURVES = ['CURVE_ED25519', 'CURVE_SECP256K1'] as const
export type Curve = (typeof CURVES)[number]
export const ADDRESS_FORMATS = [
  'ADDRESS_FORMAT_SOLANA',
  'ADDRESS_FORMAT_ETHEREUM',
  'ADDRESS_FORMAT_COMPRESSED',
  'ADDRESS_FORMAT_UNCOMPRESSED',
] as const
export type AddressFormat = (typeof ADDRESS_FORMATS)[number]

const STRENGTH: Readonly<Record<number, number>> = { 12: 128, 15: 160, 18: 192, 21: 224, 24: 256 }

/** @param words 12, 15, 18, 21 or 24 */
export function newMnemonic(words = 12): string {
  const strength = STRENGTH[words]
  if (strength === undefined) throw new CustodyError(invalidRequest, { field: 'mnemonicLength' })
  return generateMnemonic(wordlist, strength)
}

export function getSeed(mnemonic: string): Uint8Array {
  return mnemonicToSeedSync(mnemonic)
}

export interface KeyPair {
  /** 32 bytes */
  readonly privateKey: Uint8Array
  /** ed25519: 32 bytes; secp256k1: 33 bytes */
  readonly publicKey: Uint8Array
}

export function readPublicKey(curve: Curve, privateKey: Uint8Array): Uint8Array {
  return curve === 'CURVE_ED25519' ? ed25519PublicKey(privateKey) : secp256k1.getPublicKey(privateKey, true)
}

/** @throws CustodyError for a path that the curve does not support (ed25519 has only hardened steps) */
export function derive(seed: Uint8Array, curve: Curve, path: string): KeyPair {
  try {
    const { privateKey } =
      curve === 'CURVE_ED25519' ? Slip10.fromMasterSeed(seed).derive(path) : Bip32.fromMasterSeed(seed).derive(path)
    if (!privateKey) throw new Error('No private key')
    return { privateKey, publicKey: readPublicKey(curve, privateKey) }
  } catch {
    throw new CustodyError(invalidRequest, { field: 'path', expected: 'a BIP-32 path; on ed25519 every step hardened' })
  }
}

/** @throws CustodyError when the format belongs to another curve */
export function addressOf(publicKey: Uint8Array, curve: Curve, format: AddressFormat): string {
  const isEd25519 = curve === 'CURVE_ED25519'
  if (format === 'ADDRESS_FORMAT_COMPRESSED') return Buffer.from(publicKey).toString('hex')
  if (format === 'ADDRESS_FORMAT_SOLANA' && isEd25519) return bs58.encode(publicKey)
  if (format === 'ADDRESS_FORMAT_ETHEREUM' && !isEd25519) return addr.fromPublicKey(publicKey)
  if (format === 'ADDRESS_FORMAT_UNCOMPRESSED' && !isEd25519) return secp256k1.Point.fromBytes(publicKey).toHex(false)
  throw new CustodyError(invalidRequest, { field: 'addressFormat', expected: `a format of ${curve}` })
}
