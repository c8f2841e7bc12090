/**
 * Opens an export bundle, which the service's enclave must have signed for this window's key, the organization, and the
 * requested account or wallet.
 */
import type { Sealed } from '@keybay/turnkey/protocol'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { decryptExportBundle } from '@turnkey/crypto'
import bs58 from 'bs58'
import { keyOfWords } from './words.js'

/** Returns an EVM address in lower case, because EIP-55's capitals are only for display and are not compared. */
function evmAddress(privateKey: string): string {
  const point = secp256k1.getPublicKey(hexToBytes(privateKey), false)
  return `0x${bytesToHex(keccak_256(point.subarray(1)).subarray(12))}`
}
/** Compares a key with the address. The last 32 of Solana's 64 bytes are the public key. */
function isEvent(key: string, { address, chain }: Sealed): boolean {
  return chain === 'SOL'
    ? bytesToHex(bs58.decode(key).subarray(32)) === bytesToHex(bs58.decode(address))
    : evmAddress(key) === address.toLowerCase()
}

/** Opens the recovery words of a wallet, and checks that they derive the requested account. */
async function openWords(sealed: Sealed, path: string, open: Open): Promise<string> {
  const words = await open({ keyFormat: 'HEXADECIMAL', returnMnemonic: true })
  const key = await keyOfWords(words, path)
  if (bytesToHex(key) !== bytesToHex(bs58.decode(sealed.address))) throw new Error('of another wallet')
  return words
}
type Open = (form: Pick<Bundle, 'keyFormat' | 'returnMnemonic'>) => Promise<string>
type Bundle = Parameters<typeof decryptExportBundle>[0]

/** Returns the trusted key that the bundle names, while one replaces another; else the first, which refuses the bundle. */
function chooseSigner(signerPublicKeys: string, exportBundle: string): string {
  const trusted = signerPublicKeys.split(',')
  const named: unknown = JSON.parse(exportBundle).enclaveQuorumPublic
  return trusted.find(key => key === named) ?? signerPublicKeys.slice(0, 130)
}

/**
 * @param embeddedKey the window's own key, 32 bytes, hex
 * @returns base58 for Solana; 32 bytes as 0x… for EVM; recovery words separated by spaces
 * @throws Error if the bundle fails any of these checks
 */
export async function openBundle(sealed: Sealed, embeddedKey: string, signerPublicKey: string | undefined) {
  const { exportBundle, organizationId, chain, path } = sealed
  const open: Open = form =>
    decryptExportBundle({
      exportBundle,
      embeddedKey,
      organizationId,
      ...form,
      ...(signerPublicKey !== undefined && {
        dangerouslyOverrideSignerPublicKey: chooseSigner(signerPublicKey, exportBundle),
      }),
    })
  if (path !== undefined) return openWords(sealed, path, open)
  const key = await open({ keyFormat: chain === 'SOL' ? 'SOLANA' : 'HEXADECIMAL', returnMnemonic: false })
  if (!isEvent(key, sealed)) throw new Error('of another account')
  return chain === 'SOL' ? key : `0x${key}`
}
