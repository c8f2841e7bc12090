/**
 * Writes the account that gets a wallet's backups so that only the user's frames can read it: a hash under a random key
 * of the wallet, and that key sealed under the backup's share, which no relay has.
 */
import { type BackupProvider, fromBase64Url, toBase64Url, utf8 } from '@keybay/kernel/spec'
import { codecs, encode, type KeyShare } from '@keybay/waas/mpc'

const LABEL = 'keybay-backup-account'
const KEY_BYTES = 32
const IV_BYTES = 12

export function newAccountKey(): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(KEY_BYTES))
}

/** Returns the hash of an account. @param key of `newAccountKey` */
export async function hashAccount(
  key: Uint8Array,
  { walletId, provider, id }: { readonly walletId: string; readonly provider: BackupProvider; readonly id: string },
): Promise<string> {
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  const imported = await crypto.subtle.importKey('raw', new Uint8Array(key), hmac, false, ['sign'])
  const text = utf8(JSON.stringify([LABEL, walletId, provider, id]))
  return toBase64Url(new Uint8Array(await crypto.subtle.sign('HMAC', imported, text)))
}

/** Returns the key that the holder of a backup's share derives. */
export async function deriveSealingKey({ secret, set }: KeyShare): Promise<CryptoKey> {
  const bytes = new Uint8Array(secret)
  const material = await crypto.subtle.importKey('raw', bytes, 'HKDF', false, ['deriveKey'])
  bytes.fill(0)
  const salt = new Uint8Array(await crypto.subtle.digest('SHA-256', new Uint8Array(encode(codecs.shareSet, set))))
  const hkdf = { name: 'HKDF', hash: 'SHA-256', salt, info: utf8(LABEL) }
  return crypto.subtle.deriveKey(hkdf, material, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
}

/** Returns IV, ciphertext and tag: 60 bytes, base64url. */
export async function sealAccountKey(sealingKey: CryptoKey, key: Uint8Array): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, sealingKey, new Uint8Array(key))
  return toBase64Url(new Uint8Array([...iv, ...new Uint8Array(sealed)]))
}

/** Returns undefined for a key that was sealed under another share. */
export async function openAccountKey(sealingKey: CryptoKey, text: string): Promise<Uint8Array | undefined> {
  const bytes = new Uint8Array(fromBase64Url(text))
  const aead = { name: 'AES-GCM', iv: bytes.subarray(0, IV_BYTES) }
  const opened = crypto.subtle.decrypt(aead, sealingKey, bytes.subarray(IV_BYTES))
  return opened.then(
    key => new Uint8Array(key),
    () => undefined,
  )
}
