import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'

const privateKeyEncoding = { type: 'pkcs8', format: 'der' } as const
const publicKeyEncoding = { type: 'spki', format: 'der' } as const

/**
 * Generates a key pair whose keys can be exported.
 *
 * The keys that `generateKeyPairSync` returns as objects cannot: Node 20 may wait for ever in `export`, because a garbage
 * collection during the export frees the job that generated the key, and that locks the key again. A key that was encoded
 * and read has no job.
 * @example newKeyPair('P-256').privateKey.export({ format: 'jwk' })
 */
export function newKeyPair(curve: 'P-256' | 'Ed25519'): Readonly<Record<'privateKey' | 'publicKey', KeyObject>> {
  const { privateKey: key } =
    curve === 'P-256'
      ? generateKeyPairSync('ec', { namedCurve: curve, privateKeyEncoding, publicKeyEncoding })
      : generateKeyPairSync('ed25519', { privateKeyEncoding, publicKeyEncoding })
  const privateKey = createPrivateKey({ key, format: 'der', type: 'pkcs8' })
  return { privateKey, publicKey: createPublicKey(privateKey) }
}
