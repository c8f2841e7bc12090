/** API keys at custody: P-256. */
import { createECDH, generateKeyPairSync } from 'node:crypto'
import { ApiKeyStamper } from '@turnkey/api-key-stamper'
import { TurnkeyClient } from '@turnkey/http'

export interface CustodyKey {
  /** 33 bytes, hex. */
  readonly publicKey: string
  /** 32 bytes, hex. */
  readonly privateKey: string
}

export function newKey(): CustodyKey {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { d = '' } = privateKey.export({ format: 'jwk' })
  const secret = Buffer.from(d, 'base64url').toString('hex')
  return { publicKey: readPublicKey(secret) ?? '', privateKey: secret }
}

/** Returns undefined if the text is not a private key. */
export function readPublicKey(privateKey: string): string | undefined {
  try {
    const curve = createECDH('prime256v1')
    curve.setPrivateKey(privateKey, 'hex')
    return curve.getPublicKey('hex', 'compressed')
  } catch {
    return undefined
  }
}

export function getClient(baseUrl: string, { publicKey, privateKey }: CustodyKey): TurnkeyClient {
  return new TurnkeyClient({ baseUrl }, new ApiKeyStamper({ apiPublicKey: publicKey, apiPrivateKey: privateKey }))
}
