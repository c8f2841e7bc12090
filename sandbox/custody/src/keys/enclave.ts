/**
 * Signing key of the enclave (P-256), with which clients verify bundles. The key comes from the environment, or from a
 * file written at the first start. Turnkey's clients trust Turnkey's key by default and take ours from `GET /enclave`.
 */
import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { newKeyPair } from '@keybay/sandbox-service/key-pair'
import { type FoundKey, findKeyText, getFingerprint } from '@keybay/sandbox-service/keys'
import { formatHpkeBuf, hpkeEncrypt } from '@turnkey/crypto'
import { bs58check } from '@turnkey/encoding'
import { CustodyError, invalidRequest } from '../http/errors.js'

export type Enclave = ReturnType<typeof getEnclave>

export function uncompressed(key: KeyObject): Buffer {
  const { x = '', y = '' } = createPublicKey(key).export({ format: 'jwk' })
  return Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
}

export function newEnclaveKey(): string {
  return formatEnclaveKey(newKeyPair('P-256').privateKey)
}

/** Name in the registry. */
export const ENCLAVE_NAME = 'enclave'

export function getEnclaveFingerprint(key: KeyObject): string {
  const { d = '' } = key.export({ format: 'jwk' })
  return getFingerprint('custody/enclave', d)
}

/** Reads keys in PEM, of which the first signs. @throws Error that does not quote them */
export function readEnclaveKeys(text: string, source: string): [KeyObject, ...KeyObject[]] {
  const [first = text, ...others] = text.match(/-----BEGIN [^-]+-----[^-]+-----END [^-]+-----/g) ?? []
  return [readKey(first, source), ...others.map(pem => readKey(pem, source))]
}

export function formatEnclaveKey(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString()
}

/** Finds the enclave's key and writes nothing. @throws Error that does not quote the key */
export function findEnclave({
  pem,
  file,
}: {
  readonly pem: string | undefined
  readonly file: string | undefined
}): FoundKey<Enclave> {
  const variable = 'CUSTODY_ENCLAVE_KEY'
  const { text, from, isNew, save } = findKeyText({ service: 'custody', variable, text: pem, file }, newEnclaveKey)
  const [key, ...others] = readEnclaveKeys(text, from)
  return {
    value: getEnclave(key),
    source: { variable, from, isNew, save },
    identities: [
      {
        name: ENCLAVE_NAME,
        what: 'enclave key',
        fingerprints: [key, ...others].map(getEnclaveFingerprint),
        opensSecrets: false,
      },
    ],
  }
}

function getEnclave(key: KeyObject) {
  const publicKey = uncompressed(key).toString('hex')
  const signed = (content: object) => {
    const data = Buffer.from(JSON.stringify(content))
    return JSON.stringify({
      version: 'v1.0.0',
      data: data.toString('hex'),
      dataSignature: sign('sha256', data, key).toString('hex'),
      enclaveQuorumPublic: publicKey,
    })
  }
  return {
    /** 65 bytes, hex. */
    publicKey,
    /** Seals what `decryptExportBundle` of @turnkey/crypto opens. @param target 65 bytes, hex */
    exportBundle(secret: Uint8Array, target: string, organizationId: string): string {
      const { encappedPublic, ciphertext } = JSON.parse(formatHpkeBuf(seal(secret, target)))
      return signed({ encappedPublic, ciphertext, organizationId })
    },
    /** Signs what `encryptWalletToBundle` and `encryptPrivateKeyToBundle` seal to. @param target 65 bytes, hex */
    importBundle: (target: string, organizationId: string, userId: string): string =>
      signed({ targetPublic: target, organizationId, userId }),
    /** Seals what `decryptCredentialBundle` opens: base58check(encapsulated key ‖ ciphertext). @param target 65 bytes, hex */
    credentialBundle: (secret: Uint8Array, target: string): string => bs58check.encode(seal(secret, target)),
  }
}

function readKey(pem: string, source: string): KeyObject {
  try {
    const key = createPrivateKey(pem)
    if (key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key
  } catch {
    // The error below leaves the key out.
  }
  throw new Error(`custody cannot start: ${source} must hold a P-256 private key, PKCS #8 in PEM`)
}

/** HPKE, base mode: DHKEM(P-256, HKDF-SHA256), HKDF-SHA256, AES-256-GCM. */
function seal(plainTextBuf: Uint8Array, target: string): Uint8Array {
  try {
    return hpkeEncrypt({ plainTextBuf, targetKeyBuf: new Uint8Array(Buffer.from(target, 'hex')) })
  } catch {
    throw new CustodyError(invalidRequest, { field: 'targetPublicKey', expected: 'an uncompressed P-256 public key' })
  }
}
