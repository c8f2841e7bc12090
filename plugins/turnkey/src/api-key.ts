/** API keys of custody in WebCrypto: the page signs with them, and no script can read them. */
import { concatBytes, fromHex, toBase64Url, toHex, utf8 } from '@keybay/kernel/spec'
import { getPublicKey } from '@turnkey/crypto'
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

/** DER allows no leading zeros but the one that keeps a number positive; `toDerSignature` of Turnkey leaves them in. */
function encodeInteger(bytes: Uint8Array): Uint8Array {
  const digits = bytes.subarray(bytes.findIndex(byte => byte !== 0))
  const sign = (digits[0] ?? 0) >= 0x80 ? [0] : []
  return Uint8Array.of(0x02, sign.length + digits.length, ...sign, ...digits)
}
/** @param signature r ‖ s, 64 bytes, as WebCrypto returns it */
function toDer(signature: Uint8Array): Uint8Array {
  const numbers = concatBytes(encodeInteger(signature.subarray(0, 32)), encodeInteger(signature.subarray(32)))
  return Uint8Array.of(0x30, numbers.length, ...numbers)
}

/** Stamps requests as `ApiKeyStamper` of Turnkey does, which needs the key's bytes. */
export function createKeyStamper({ publicKey, privateKey }: ApiKey): Stamper {
  return {
    async stamp(payload) {
      const signed = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, privateKey, utf8(payload))
      const signature = toHex(toDer(new Uint8Array(signed)))
      const stamp = { publicKey, scheme: 'SIGNATURE_SCHEME_TK_API_P256', signature }
      return { stampHeaderName: 'X-Stamp', stampHeaderValue: toBase64Url(utf8(JSON.stringify(stamp))) }
    },
  }
}
