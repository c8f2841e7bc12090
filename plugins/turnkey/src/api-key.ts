/** API keys of custody in WebCrypto: the page signs with them, and no script can read them. */
import { fromHex, toBase64Url, toHex, utf8 } from '@keybay/kernel/spec'
import { getPublicKey, toDerSignature } from '@turnkey/crypto'
import type { Stamper } from './service.js'

export interface ApiKey {
  /** Compressed point, hex. */
  readonly publicKey: string
  /** P-256, not extractable. */
  readonly privateKey: CryptoKey
}

/** @param privateKey 32 bytes, hex; as custody delivers it in a credential bundle */
export async function importApiKey(privateKey: string): Promise<ApiKey> {
  const bytes = fromHex(privateKey)
  const point = getPublicKey(bytes, false)
  const [x, y] = [toBase64Url(point.subarray(1, 33)), toBase64Url(point.subarray(33))]
  const jwk = { kty: 'EC', crv: 'P-256', d: toBase64Url(bytes), x, y }
  return {
    publicKey: toHex(getPublicKey(bytes, true)),
    privateKey: await crypto.subtle.importKey('jwk', jwk, { name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign']),
  }
}

/** Stamps requests as `ApiKeyStamper` of Turnkey does, which needs the key's bytes. */
export function createKeyStamper({ publicKey, privateKey }: ApiKey): Stamper {
  return {
    async stamp(payload) {
      const signed = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, privateKey, utf8(payload))
      const signature = toDerSignature(toHex(new Uint8Array(signed)))
      const stamp = { publicKey, scheme: 'SIGNATURE_SCHEME_TK_API_P256', signature }
      return { stampHeaderName: 'X-Stamp', stampHeaderValue: toBase64Url(utf8(JSON.stringify(stamp))) }
    },
  }
}
